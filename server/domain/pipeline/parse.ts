// From a text to segments: the turns of a conversation, or the one body of a document, with title and date.

import type { Metadata } from '../../adapters/store/port.ts';
import { roleOf } from './conversation/roles.ts';
import type { Conversation, Role, Turn } from './conversation/turn.ts';
import { isLoose } from './conversation/turn.ts';
import { dateAtHead, dateOfLine } from './head-date.ts';
import { unixLines } from './lines.ts';
import { readConversation } from './parse-conversation.ts';
import type { ContentKind } from './recognise.ts';
import { titleOfLine, titleOfMarkdown, titleOfText } from './title.ts';

export interface Segment {
  readonly text: string;
  readonly role: Role | null;
  readonly speaker?: string;
  /** When it was said, in milliseconds. */
  readonly at?: number;
  /** Page, slide, row, time: where it stands in what it was read from. */
  readonly place?: Metadata;
  /** What it stands under there, outermost first. */
  readonly heading?: readonly string[];
}

export interface Parsed {
  readonly kind: 'conversation' | 'document';
  /** Between a user and an assistant, rather than between people with names. */
  readonly chat: boolean;
  readonly title?: string;
  /** The session's or document's own date, in milliseconds. */
  readonly date?: number;
  /** Headings, fences and tables mean something. */
  readonly markdown?: boolean;
  /** Each line stands for itself. */
  readonly lines?: boolean;
  /** Its passages say where they stand. */
  readonly located?: boolean;
  readonly segments: readonly Segment[];
}

export interface ParseHints {
  readonly kind: ContentKind;
  readonly title?: string;
  readonly date?: number;
}

export function parse(text: string, hints: ParseHints): Parsed {
  const source = unixLines(text.isWellFormed() ? text : text.toWellFormed());
  // What was extracted from a page is Markdown, and a page is a document whatever it quotes.
  const extracted = hints.kind === 'html' || hints.kind === 'url';
  const conversation = extracted ? null : readConversation(source);
  if (conversation === null) return documentOf(source, extracted || hints.kind === 'markdown', hints);
  const voices = conversation.turns.some((turn) => !isLoose(turn));
  return voices ? conversationOf(conversation, hints) : documentOf(spoken(conversation), false, hints);
}

/** Captions without names are a text that was read aloud: without the times it is prose again. */
const spoken = (conversation: Conversation): string => conversation.turns.map((turn) => turn.text).join(' ');

function documentOf(source: string, markdown: boolean, hints: ParseHints): Parsed {
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
}

function conversationOf(conversation: Conversation, hints: ParseHints): Parsed {
  const { turns } = conversation;
  const lead = turns[0] !== undefined && isLoose(turns[0]) ? turns[0].text : '';
  const title = hints.title ?? conversation.title ?? leadTitle(lead);
  const date = hints.date ?? dateAtHead(lead) ?? turns.find((turn) => turn.at !== undefined)?.at;
  const said = saysNothing(lead, conversation) ? turns.slice(1) : turns;
  return {
    kind: 'conversation',
    chat: said.some(playsRole),
    ...optional('title', title),
    ...optional('date', date),
    segments: said,
  };
}

/** A role without a person's name: some exports give the two people of a dialogue the roles of user and assistant. */
const playsRole = ({ role, speaker }: Turn): boolean =>
  (role === 'user' || role === 'assistant') && (speaker === undefined || roleOf(speaker) !== null);

/** A lead that only dates the conversation, or introduces its JSON, is kept as the date alone. */
function saysNothing(lead: string, conversation: Conversation): boolean {
  if (lead === '' || lead.length > 500) return false;
  const lines = lead.split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => dateOfLine(line.trim()) !== undefined || introduces(line, conversation));
}

const introduces = (line: string, { format }: Conversation): boolean =>
  format === 'json' && line.length <= 160 && /[:：]\s*$/.test(line);

/** A lead of one line, dates aside. */
function leadTitle(lead: string): string | undefined {
  const isTitle = (line: string) => line !== '' && dateOfLine(line) === undefined;
  const [first, ...others] = lead
    .split('\n', 8)
    .map((line) => line.trim())
    .filter(isTitle);
  if (first === undefined || others.length > 0) return undefined;
  return titleOfMarkdown(first) ?? titleOfLine(first);
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
