// Parses a text into segments: the messages of a conversation, or the body of a document, with title and date.

import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import { removeControls } from '../../../lib/text/control-characters.ts';
import { dateAtHead, dateOfLine } from '../../../lib/text/dates/head-date.ts';
import { unixLines } from '../../../lib/text/lines.ts';
import type { Conversation, Role, Turn } from '../conversations/conversation.ts';
import { isOutsideMessages } from '../conversations/conversation.ts';
import { readConversation } from '../conversations/read-conversation.ts';
import { roleOf } from '../conversations/roles.ts';
import { separateTools } from '../conversations/tool-blocks.ts';
import type { RecognisedKind } from './recognise-kind.ts';
import { titleOfLine, titleOfMarkdown, titleOfText } from './title.ts';

export interface Segment {
  readonly text: string;
  readonly role: Role | null;
  readonly speaker?: string;
  /** The time of the message, in milliseconds. */
  readonly at?: number;
  /** Page, slide, row or time: the position in the original. */
  readonly place?: Metadata;
  /** The headings above that position, outermost first. */
  readonly heading?: readonly string[];
}

export interface Parsed {
  readonly kind: 'conversation' | 'document';
  /** Between a user and an assistant, rather than between people with names. */
  readonly chat: boolean;
  readonly title?: string;
  /** The session's or document's own date, in milliseconds. */
  readonly date?: number;
  /** True if the text is Markdown. */
  readonly markdown?: boolean;
  /** True if each line is separate, as in code. */
  readonly lines?: boolean;
  /** True if passages have positions. */
  readonly located?: boolean;
  readonly segments: readonly Segment[];
}

export interface ParseHints {
  readonly kind: RecognisedKind;
  readonly title?: string;
  readonly date?: number;
}

export const parseContent = (text: string, hints: ParseHints): Parsed => {
  const source = removeControls(unixLines(text.isWellFormed() ? text : text.toWellFormed()));
  // Text extracted from a page is Markdown, and a page is a document even if it quotes a conversation.
  const extracted = hints.kind === 'html' || hints.kind === 'url';
  const conversation = extracted ? null : readConversation(source);
  if (conversation === null) return parseDocument(source, extracted || hints.kind === 'markdown', hints);
  const voices = conversation.turns.some((turn) => !isOutsideMessages(turn));
  return voices
    ? conversationSegments(conversation, hints)
    : parseDocument(spoken(conversation), false, hints);
};

/** Captions without names are the text of one speaker: without the times they are prose. */
const spoken = (conversation: Conversation): string => conversation.turns.map((turn) => turn.text).join(' ');

const parseDocument = (source: string, markdown: boolean, hints: ParseHints): Parsed => {
  const body = source.trim();
  const title = hints.title ?? (markdown ? titleOfMarkdown(body) : titleOfText(body));
  return {
    kind: 'document',
    chat: false,
    ...optional('title', title),
    ...optional('date', hints.date ?? dateAtHead(body)),
    ...(markdown ? { markdown } : {}),
    segments: body === '' ? [] : [{ text: body, role: null }],
  };
};

const conversationSegments = (conversation: Conversation, hints: ParseHints): Parsed => {
  const { turns } = conversation;
  const lead = turns[0] !== undefined && isOutsideMessages(turns[0]) ? turns[0].text : '';
  const title = hints.title ?? conversation.title ?? leadTitle(lead);
  const date = hints.date ?? dateAtHead(lead) ?? turns.find((turn) => turn.at !== undefined)?.at;
  const said = isMereIntroduction(lead, conversation) ? turns.slice(1) : turns;
  return {
    kind: 'conversation',
    chat: said.some(playsRole),
    ...optional('title', title),
    ...optional('date', date),
    segments: said.flatMap(separateTools),
  };
};

/** A role without a name. Some exports give the two people of a dialogue the roles of user and assistant. */
const playsRole = ({ role, speaker }: Turn): boolean =>
  (role === 'user' || role === 'assistant') && (speaker === undefined || roleOf(speaker) !== null);

/** A lead that only dates the conversation, or introduces its JSON, is kept as the date alone. */
const isMereIntroduction = (lead: string, conversation: Conversation): boolean => {
  if (lead === '' || lead.length > 500) return false;
  const lines = lead.split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => dateOfLine(line.trim()) !== undefined || introduces(line, conversation));
};

const introduces = (line: string, { format }: Conversation): boolean =>
  format === 'json' && line.length <= 160 && /[:：]\s*$/.test(line);

/** A lead of one line, dates aside. */
const leadTitle = (lead: string): string | undefined => {
  const isTitle = (line: string) => line !== '' && dateOfLine(line) === undefined;
  const [first, ...others] = lead
    .split('\n', 8)
    .map((line) => line.trim())
    .filter(isTitle);
  if (first === undefined || others.length > 0) return undefined;
  return titleOfMarkdown(first) ?? titleOfLine(first);
};

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
