// Reads the label at the start of a line: "User:", "**Ana:**", "[2026-03-01, 14:03] Ben:".

import { readStamp, type Stamp } from '../../../lib/text/dates/chat-stamps.ts';
import type { Role } from './conversation.ts';
import { isPlainRole, roleOf, roleWords } from './roles.ts';

export interface Label {
  readonly role: Role | null;
  readonly speaker?: string;
  /** The word that names the role or the person. */
  readonly word: string;
  /** True for a role word without another meaning. */
  readonly plain: boolean;
  /** True if stars, a bullet or a hash mark the label. */
  readonly decorated: boolean;
  /** The length of the label in the line. */
  readonly length: number;
  /** A part of the label that belongs to the text (a message number, a time of day). */
  readonly keep?: string;
  readonly stamp?: Stamp;
  /** A handle is written in chats alone; a time of day also before the points of a programme. */
  readonly evidence?: 'handle' | 'clock';
}

export type ReadLabel = (head: string) => Label | null;

/** Patterns read this much of a line and every repetition in them is bounded, so that no line can make one slow. */
export const LABEL_HEAD = 160;

const PREFIX = String.raw`^ {0,3}(?:(\[[^\]\n]{1,40}\]) {0,2})?`;
const BULLET = '(?:#{1,6} {0,2}|> ?|[-*] {1,3})?';
const ASIDE = String.raw`(?: ?([([][^)\]\n]{1,40}[)\]]))?`;

/** `label` followed by a colon, plain or all of it bold: "Name:", "**Name:**", "**Name**:". */
const labelPattern = (label: string, colon: string): string =>
  `(?:${label}${ASIDE} ?${colon}|(?:\\*\\*|__)${label}${ASIDE}(?:${colon} ?(?:\\*\\*|__)|(?:\\*\\*|__)${ASIDE} ?${colon})) ?`;

const WORD = `(${roleWords.join('|')})`;
const ROLE = new RegExp(`${PREFIX}${BULLET}${labelPattern(WORD, '[:：]')}`, 'i');
/** "### User" or "**Assistant**" alone on a line; common chapter headings of documents are excluded. */
const ROLE_HEADING =
  /^ {0,3}(?:#{1,6} {1,2}|\*\*)(user|human|you|me|assistant|ai|chatgpt|claude|gemini|copilot)(?:\*\*)?\s{0,10}$/i;

export const readRole = (head: string): Label | null => {
  const heading = ROLE_HEADING.exec(head);
  if (heading?.[1] !== undefined) return { ...roleLabel(heading[1]), decorated: true, length: head.length };
  if (!/[:：]/.test(head)) return null;
  const found = ROLE.exec(head);
  if (found === null) return null;
  const [whole, prefix, plain, plainAside, bold, ...boldAsides] = found;
  const aside = plainAside ?? boldAsides.find((part) => part !== undefined);
  const label = {
    ...roleLabel(plain ?? bold ?? ''),
    decorated: isDecorated(whole, prefix),
    length: whole.length,
  };
  const name = aside?.slice(1, -1).trim() ?? '';
  if (/^\p{L}/u.test(name)) return { ...label, speaker: name, ...kept(prefix) };
  return { ...label, ...kept(prefix, aside) };
};

const isDecorated = (label: string, prefix = ''): boolean =>
  /^[#>*_-]/.test(label.trimStart().slice(prefix.length).trimStart());

const roleLabel = (word: string) => ({
  role: roleOf(word),
  word: word.toLowerCase(),
  plain: isPlainRole(word),
});

const kept = (...parts: (string | undefined)[]): { keep?: string } => {
  const keep = parts.filter((part) => part !== undefined).join(' ');
  return keep === '' ? {} : { keep };
};

const NAME = String.raw`([\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}_'’.-]{0,30}(?: [\p{L}\p{M}\p{N}_'’.&-]{1,30}){0,3})`;
const CLOCK = String.raw`(\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])? (?:[-–—] )?)?`;
const SPEAKER = new RegExp(`${PREFIX}${CLOCK}${labelPattern(NAME, String.raw`(?:：|:(?=[\s*_]|$))`)}`, 'u');

/** "@anna:" and "<anna>": a handle may be written small. */
const HANDLE = new RegExp(
  `${PREFIX}${CLOCK}(?:@([\\p{L}\\p{N}][\\p{L}\\p{N}_.-]{0,30}) ?:|<([\\p{L}\\p{N}][\\p{L}\\p{N}_.-]{0,30})>)(?= ) ?`,
  'u',
);

const readHandle = (head: string): Label | null => {
  const [whole = '', prefix, clock, called, bracketed] = HANDLE.exec(head) ?? [];
  const speaker = called ?? bracketed;
  if (speaker === undefined) return null;
  const keep = kept(prefix, clock?.trim());
  const label = { role: null, speaker, word: speaker, plain: false, decorated: false };
  return { ...label, evidence: 'handle', length: whole.length, ...keep };
};

const TIME_OF_DAY = /^[[(]?\d{1,2}:\d{2}/;

export const readSpeaker = (head: string): Label | null => {
  const handle = readHandle(head);
  if (handle) return handle;
  if (!/[:：]/.test(head)) return null;
  const found = SPEAKER.exec(head);
  if (found === null) return null;
  const [whole, prefix, clock, plain, plainAside, bold, ...boldAsides] = found;
  const speaker = plain ?? bold ?? '';
  const aside = plainAside ?? boldAsides.find((part) => part !== undefined);
  const keep = kept(prefix, clock?.trim(), aside);
  const decorated = isDecorated(whole, prefix);
  const evidence = TIME_OF_DAY.test(whole.trimStart()) ? { evidence: 'clock' as const } : {};
  return {
    role: null,
    speaker,
    word: speaker,
    plain: false,
    decorated,
    length: whole.length,
    ...evidence,
    ...keep,
  };
};

/** Chat exports: a date and a time before every message; a line without a name was written by the app. */
export const readStamped = (head: string): Label | null => {
  const stamp = readStamp(head);
  if (stamp === null) return null;
  const name = /^([^:\n]{1,60}):(?:\s|$)/.exec(head.slice(stamp.length));
  if (name?.[1] === undefined)
    return { role: 'system', word: '', plain: false, decorated: false, length: stamp.length, stamp };
  const length = stamp.length + name[0].length;
  const speaker = name[1].trim();
  return { role: null, speaker, word: speaker, plain: false, decorated: false, length, stamp };
};

const HANDLE_NAME = String.raw`(?<name>\p{L}[\p{L}\p{M}\p{N}_'’.-]{0,30}(?: [\p{L}\p{M}\p{N}_'’.&-]{1,30}){0,3})`;
/** "Marek — 10:32", "Noor  9:14 AM", "korbi — Today at 15:22": a name and a time alone on a line. */
const HEADLINE = new RegExp(
  `^${HANDLE_NAME}(?: {2,4}| {1,2}[-–—] {1,2})(?:(?:Today|Yesterday) at )?\\[?(?<clock>\\d{1,2}:\\d{2}(?: ?[AaPp][Mm])?)\\]?\\s{0,5}$`,
  'u',
);
const NAME_ALONE = new RegExp(`^${HANDLE_NAME}\\s{0,5}$`, 'u');

/** Chat exports with the name and the time on a line of their own, and the message below. */
export const readHeadline = (head: string): Label | null => {
  const stamp = readStamp(head);
  const found = stamp ? NAME_ALONE.exec(head.slice(stamp.length)) : HEADLINE.exec(head);
  const { name, clock } = found?.groups ?? {};
  if (name === undefined) return null;
  const label = {
    role: null,
    speaker: name,
    word: name,
    plain: false,
    decorated: false,
    length: head.length,
  };
  return stamp ? { ...label, stamp } : { ...label, ...kept(clock) };
};
