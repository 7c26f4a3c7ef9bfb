// Reads a text whose messages stand between marks: its turns, without the marks.
import { parseDate } from '../../../../lib/text/dates/parse-date.ts';
import { type Conversation, isOutsideMessages, MOST_TURNS, type Turn } from '../conversation.ts';
import { roleOf } from '../roles.ts';
import { isJoinLine } from '../separator-line.ts';
import { findMarks, opensWithin, type PairedMark } from './find-marks.ts';
import type { MarkedForm } from './forms.ts';
import { areMessages } from './plausible-marks.ts';

/** The most text before the first message. */
const LEAD = 2_000;
const LONGEST_MARK = 200;
/** A message has an opening and a closing mark, and a frame around it. */
const MOST_MARKS = MOST_TURNS * 4;

export const readMarked = (source: string, form: MarkedForm): Conversation | null =>
  readBy(source, form, (marks, pieces) => areMessages(source, form, marks, pieces.map(textOfPiece)));

/** For a part of a known conversation: a single message that is marked like those is a message. */
export const readMarkedExcerpt = (source: string, form: MarkedForm): Conversation | null =>
  readBy(source, form, (_marks, pieces) => pieces.every(({ owner }) => owner !== undefined));

const readBy = (
  source: string,
  form: MarkedForm,
  plausible: (marks: readonly PairedMark[], pieces: readonly MarkedPiece[]) => boolean,
): Conversation | null => {
  if (!opensWithin(source, form.marks, LEAD + LONGEST_MARK)) return null;
  const marks = findMarks(source, form.marks, MOST_MARKS);
  if (marks === null) return null;
  const pieces = piecesOfMarks(source, marks);
  if (!plausible(marks, pieces)) return null;
  const turns = pieces.map((piece) => turnOf(piece, form));
  if (turns.length > MOST_TURNS || turns.every(isOutsideMessages)) return null;
  return { format: 'marked', form, source, turns, starts: pieces.map(({ start }) => start) };
};

/** A text between two marks. */
interface MarkedPiece {
  /** The start with the marks before it. */
  readonly start: number;
  readonly text: string;
  /** The mark that opens its message, or closes it if none opens it; absent for text outside all messages. */
  readonly owner?: PairedMark;
  /** True if it is quoted by a message around it. */
  readonly isQuoted: boolean;
  readonly at?: number;
}

const textOfPiece = ({ owner, text }: MarkedPiece) => ({ isOutside: owner === undefined, text });

/** Walks over the marks; the last open message owns the text up to the next mark. */
const piecesOfMarks = (source: string, marks: readonly PairedMark[]): MarkedPiece[] => {
  const pieces: MarkedPiece[] = [];
  const open: PairedMark[] = [];
  let body = 0;
  let frame = -1;
  let at: number | undefined;
  const flush = (end: number, mark?: PairedMark) => {
    const raw = source.slice(body, end);
    const owner = open.at(-1) ?? (mark?.kind === 'closes' ? mark : undefined);
    const text = owner === undefined ? outsideText(raw) : raw.trim();
    const isFirst = owner !== undefined && owner.end === body;
    if (text !== '')
      pieces.push({
        start: isFirst ? (frame < 0 ? owner.start : frame) : body,
        text,
        isQuoted: open.length > 1,
        ...(owner === undefined ? {} : { owner }),
        ...(at === undefined ? {} : { at }),
      });
    if (isFirst) frame = -1;
  };
  for (const mark of marks) {
    if (mark.kind === 'foreign' || (mark.kind === 'frame' && isPair(open.at(-1)))) continue;
    flush(mark.start, mark);
    body = mark.end;
    const opening = marks[mark.pair];
    // Messages inside that nothing closes end with it.
    if (mark.kind === 'closes' && opening !== undefined) open.length = Math.max(0, open.lastIndexOf(opening));
    else if (mark.kind !== 'closes' && !isPair(open.at(-1))) open.pop();
    if (mark.kind === 'opens') open.push(mark);
    if (mark.kind !== 'frame') continue;
    if (frame < 0) frame = mark.start;
    at = mark.at === undefined ? undefined : (parseDate(mark.at) ?? undefined);
  }
  flush(source.length);
  return pieces;
};

const isPair = (mark: PairedMark | undefined): boolean => mark !== undefined && mark.pair >= 0;

/** Separator lines and code fences around messages carry no text. */
const outsideText = (raw: string): string =>
  raw
    .split('\n')
    .filter((line) => !isJoinLine(line) && !/^ {0,3}(?:```|~~~)[\w-]{0,20}\s{0,3}$/.test(line))
    .join('\n')
    .trim();

const turnOf = ({ owner, text, isQuoted, at }: MarkedPiece, form: MarkedForm): Turn => {
  const time = at === undefined ? {} : { at };
  if (owner === undefined) return { role: null, text };
  const { kind, word } = owner;
  // Words that a message quotes were said elsewhere, and nobody knows who said the end of a message.
  if (isQuoted || (kind === 'closes' && roleOf(word) === null)) return { role: 'tool', text, ...time };
  return { ...speakerOfMark(owner, form), text: withTool(owner, text), ...time };
};

const withTool = ({ tool, outcome }: PairedMark, text: string): string => {
  if (tool === undefined) return text;
  return `${tool}${outcome === undefined ? '' : ` (${outcome})`}:\n${text}`;
};

/** "assistant:tool_result" and "functions.weather to=assistant" are tools, "assistant to=functions.weather" too. */
const speakerOfMark = (
  { word }: PairedMark,
  { namesSpeakers }: MarkedForm,
): Pick<Turn, 'role' | 'speaker'> => {
  const role = roleOf(word);
  if (role !== null || word === '') return { role };
  const words = word.split(/[^\p{L}\p{N}_]+/u);
  if (words.some((part) => roleOf(part) === 'tool')) return { role: 'tool' };
  const first = words.length > 1 ? roleOf(words[0] ?? '') : null;
  if (first !== null || !namesSpeakers) return { role: first };
  return { role: null, speaker: word };
};
