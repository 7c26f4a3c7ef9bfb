// Conversations written as lines with a label: role words, names, or the stamps of chat exports.

import { type Stamp, stampTimes } from '../../../lib/text/dates/chat-stamps.ts';
import { eachLine, isBlankLine, trimEnd } from '../../../lib/text/lines.ts';
import { type Conversation, MOST_TURNS, type Turn } from './conversation.ts';
import {
  LABEL_HEAD,
  type Label,
  type ReadLabel,
  readHeadline,
  readRole,
  readSpeaker,
  readStamped,
} from './labels.ts';
import {
  areHeadlines,
  areRoles,
  areSpeakers,
  areStamped,
  isHeading,
  type LabelledLines,
} from './plausible-labels.ts';
import { withoutJoinLine } from './separator-line.ts';

/** The most text before the first labelled line. */
const LEAD = 2_000;
const LEAD_LINES = 25;

interface Mark {
  readonly start: number;
  readonly label: Label;
  /** The lines up to the next label that open or close a code fence. */
  fences: number;
}

export const readLabelled = (source: string): Conversation | null =>
  readWith(source, readRole, areRoles) ??
  readWith(source, readStamped, areStamped) ??
  readWith(source, readHeadline, areHeadlines) ??
  readWith(source, readSpeaker, areSpeakers);

/** For a part of a known conversation: a single line with one of its labels is a message. */
export const readLabelledExcerpt = (source: string, whole: Conversation): Conversation | null => {
  const names = new Set(whole.turns.map((turn) => turn.speaker));
  const roles = whole.turns.some((turn) => turn.role !== null && turn.speaker === undefined);
  const known = ({ role, speaker }: Label) =>
    speaker === undefined ? roles && role !== null : names.has(speaker);
  const fits = ({ labels, leadLines }: LabelledLines) =>
    leadLines === 0 && labels.filter(known).length >= labels.length / 2;
  return (
    readWith(source, readRole, fits) ??
    readWith(source, readStamped, fits) ??
    readWith(source, readHeadline, fits) ??
    readWith(source, readSpeaker, fits)
  );
};

const readWith = (
  source: string,
  read: ReadLabel,
  plausible: (found: LabelledLines) => boolean,
): Conversation | null => {
  const found = marksOf(source, read);
  if (found === null || !plausible(found.shape)) return null;
  return { format: 'lines', source, ...turnsOf(source, found.marks) };
};

interface Scan {
  readonly marks: Mark[];
  readonly shape: LabelledLines;
}

const marksOf = (source: string, read: ReadLabel): Scan | null => {
  const found = scanLabels(source, read);
  if (found === null) return null;
  const marks = sameStyle(outsideCode(found.marks));
  const shape = {
    ...found.shape,
    labels: marks.map((mark) => mark.label),
    starts: marks.map((mark) => mark.start),
  };
  return { marks, shape };
};

const scanLabels = (
  source: string,
  read: ReadLabel,
): { marks: Mark[]; shape: Omit<LabelledLines, 'labels' | 'starts'> } | null => {
  const marks: Mark[] = [];
  let leadLines = 0;
  let filled = 0;
  let lost = false;
  eachLine(source, (start, end) => {
    const label = read(source.slice(start, Math.min(end, start + LABEL_HEAD)));
    if (label !== null && (marks.length > 0 || !isLead(label))) marks.push({ start, label, fences: 0 });
    const last = marks.at(-1);
    if (last !== undefined && isFence(source, start + (label?.length ?? 0), end)) last.fences++;
    const blank = isBlankLine(source, start, end);
    if (!blank) filled++;
    if (!blank && marks.length === 0) leadLines++;
    lost = marks.length > MOST_TURNS || (marks.length === 0 && (leadLines > LEAD_LINES || end > LEAD));
    return !lost;
  });
  return lost || marks.length === 0 ? null : { marks, shape: { source, leadLines, filled } };
};

/** The number of labels after one inside a fence that are searched for the closing line of the fence. */
const AHEAD = 3;

/**
 * Removes labels inside code ("user: root" in a fenced file). A message may also end without closing its fence:
 * then the next fence lines come in pairs, and the labels after it are messages.
 */
const outsideCode = (marks: readonly Mark[]): Mark[] => {
  let open = false;
  return marks.filter((mark, i) => {
    const closing = open ? marks.slice(i, i + AHEAD).find((next) => next.fences > 0) : undefined;
    const inCode = closing !== undefined && closing.fences % 2 === 1;
    if (!inCode) open = false;
    if (mark.fences % 2 === 1) open = !open;
    return !inCode;
  });
};

/**
 * Removes labels that are part of a message: with stars or bullets if the first label has none, and "you" or
 * "agent" once "user" or "assistant" names the role.
 */
const sameStyle = (marks: readonly Mark[]): Mark[] => {
  const decorated = marks[0]?.label.decorated;
  const plain = new Set<string>();
  return marks.filter(({ label }) => {
    if (label.decorated !== decorated) return false;
    if (label.role === null) return true;
    if (label.plain) plain.add(label.role);
    return label.plain || !plain.has(label.role);
  });
};

/** "Date: …" or "Attendees: …" above the first message. */
const isLead = (label: Label): boolean => label.role === null && isHeading(label.speaker ?? '');

const isFence = (source: string, from: number, end: number): boolean => {
  let at = from;
  while (at < end && at < from + 4 && source.charCodeAt(at) === 32) at++;
  return source.startsWith('```', at) || source.startsWith('~~~', at);
};

const turnsOf = (source: string, marks: readonly Mark[]): { turns: Turn[]; starts: number[] } => {
  const turns: Turn[] = [];
  const starts: number[] = [];
  const times = timesOf(marks);
  const add = (turn: Turn, start: number) => {
    if (turn.text === '') return;
    turns.push(turn);
    starts.push(start);
  };
  const first = marks[0]?.start ?? 0;
  add({ role: null, text: source.slice(0, first).trim() }, 0);
  for (const [i, mark] of marks.entries()) {
    const next = marks[i + 1]?.start;
    const turn = labelledTurn(source, mark, next ?? source.length, times[i]);
    add(next === undefined ? turn : { ...turn, text: withoutJoinLine(turn.text) }, mark.start);
  }
  return { turns, starts };
};

const labelledTurn = (source: string, { start, label }: Mark, end: number, at: number | undefined): Turn => {
  const body = source.slice(start + label.length, trimEnd(source, start + label.length, end)).trim();
  const text = label.keep === undefined ? body : `${label.keep} ${body}`.trim();
  return {
    role: label.role,
    ...(label.speaker === undefined ? {} : { speaker: label.speaker }),
    text,
    ...(at === undefined ? {} : { at }),
  };
};

const timesOf = (marks: readonly Mark[]): (number | undefined)[] => {
  const stamps: Stamp[] = [];
  for (const { label } of marks) if (label.stamp !== undefined) stamps.push(label.stamp);
  return stamps.length === marks.length ? stampTimes(stamps) : [];
};
