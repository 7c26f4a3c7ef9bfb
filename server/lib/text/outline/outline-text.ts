// Prepares a text for its title and its summary: the sentences of prose without markup, or the lines of anything else.
import { cutText } from '../cut.ts';
import { unixLines } from '../lines.ts';
import { ENGLISH_ABBREVIATIONS } from '../sentences/sentence-marks.ts';
import { splitSentences } from '../sentences/split-sentences.ts';
import { singleSpaced } from '../single-spaced.ts';

/** A piece of text in reading order: a message of a conversation, or a passage of a document. */
export interface OutlinePiece {
  readonly text: string;
  /** Null outside of conversations with roles. */
  readonly role: string | null;
  readonly isMessage: boolean;
}

/** The beginning of a text that its outline is drawn from: enough to see the subject, and a few milliseconds of work. */
const MOST_CHARACTERS = 10_000;
export const MOST_OUTLINE_PIECES = 200;

/** Text that only the agent reads is never shown in a list. */
const HIDDEN_ROLES = new Set(['system', 'tool']);

export const sampleOf = (pieces: readonly OutlinePiece[]): OutlinePiece[] => {
  const sample: OutlinePiece[] = [];
  let room = MOST_CHARACTERS;
  for (const piece of pieces) {
    if (room <= 0 || sample.length === MOST_OUTLINE_PIECES) break;
    if (HIDDEN_ROLES.has(piece.role ?? '')) continue;
    const text = unixLines(cutText(piece.text, room).toWellFormed());
    sample.push({ ...piece, text });
    room -= text.length;
  }
  return sample;
};

const FRONT_MATTER = /^\s{0,20}---\n[\s\S]{0,4000}?\n---(?:\n|$)/;
const FENCES = /^ {0,3}(?:```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}(?:```|~~~)[^\n]*$|$(?![\s\S]))/gm;
const MAIL_FIELD = /^[\p{L}-]{2,30}:[ \t]/u;
/** The label of a subject in the heads of mails. */
const SUBJECT =
  /^(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|тема|件名|主题|主旨)[ \t]?[:：][ \t]*(\S.*)$/iu;
const MOST_MAIL_FIELDS = 40;

export interface MailHead {
  readonly subject: string;
  /** The text below the head. */
  readonly body: string;
}

/** The head of a mail: lines with labels up to a blank line, one of them the subject. */
export const mailHead = (text: string): MailHead | null => {
  const lines = text.trimStart().split('\n');
  let subject: string | null = null;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '')
      return subject === null ? null : { subject, body: lines.slice(at + 1).join('\n') };
    subject ??= SUBJECT.exec(line)?.[1]?.trim() ?? null;
    const isField = MAIL_FIELD.test(line) || SUBJECT.test(line) || (at > 0 && /^[ \t]/.test(line));
    if (!isField || at === MOST_MAIL_FIELDS) return null;
  }
  return null;
};

export const HEADING_LINE = /^ {0,3}#{1,6} {1,10}(\S.{0,400})$/;
const TABLE_LINE = /^\s{0,20}\|.*\|\s{0,20}$|^[\s|:+=_*-]{3,}$/;
const TIMED_LINE = /^[[(]?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
const SEPARATED_LINE = /^[^,;\t|]+(?:[,;|][^\s,;|][^,;|]*){2,}$|\S\t+\S/;
const CODE_LINE =
  /[{};\\]\s*$|=>|[=!]==?|<\/|\/>|\(\)|::|^\s*(?:import|export|from|const|let|var|def|class|function|func|fn|return|public|private|static|if|elif|else|for|while|try|with|print|package|use|using|include|#include|SELECT|INSERT|CREATE)\b[^.!?]*[:({;='"]|^\s*["'][^"']{0,100}["']\s*:|^\s*[[\]{}()]|[\w)\]] [-+*/]?= \S|\w\([^()]*\)+\s*[:;{,]?\s*$/;

/** Few lines of prose hold any of these, and to look for them takes a fraction of the expressions above. */
const MAY_BE_SEPARATED = /[,;|\t]/;
const MAY_BE_CODE = /[{}()[\]<>=:;\\"']/;

const [TAB, RETURN, BLANK, LETTER_A, LETTER_Z, LAST_ASCII] = [9, 13, 32, 97, 122, 127];

/** Counted by whole words: a list of single letters would take most of the time of an outline. */
const lettersIn = (line: string): number =>
  line.match(/[\p{L}\p{M}]+/gu)?.reduce((sum, { length }) => sum + length, 0) ?? 0;

const LETTERS_AMONG_VISIBLE = 0.6;

/** Most of what is visible is no letter. Of ASCII, without an expression: that takes a tenth of the time. */
const hasFewLetters = (line: string): boolean => {
  let letters = 0;
  let visible = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code > LAST_ASCII) return hasFewLettersOfAnyScript(line);
    const lower = code | 32;
    if (lower >= LETTER_A && lower <= LETTER_Z) letters += 1;
    if (code !== BLANK && (code < TAB || code > RETURN)) visible += 1;
  }
  return visible > 3 && letters < visible * LETTERS_AMONG_VISIBLE;
};

const hasFewLettersOfAnyScript = (line: string): boolean => {
  const visible = line.replace(/\s+/g, '');
  return visible.length > 3 && lettersIn(line) < visible.length * LETTERS_AMONG_VISIBLE;
};

/** True for a line of a table, of a log, of code or of data. */
const isTechnical = (line: string): boolean =>
  TIMED_LINE.test(line) ||
  (MAY_BE_SEPARATED.test(line) && SEPARATED_LINE.test(line)) ||
  (MAY_BE_CODE.test(line) && CODE_LINE.test(line)) ||
  hasFewLetters(line);

/** True if most of the text is sentences, headings and items, and not code, data, a table or a log. */
export const isProse = (text: string): boolean => {
  let technical = 0;
  let all = 0;
  for (const line of text.split('\n')) {
    all += line.trim().length;
    if (isTechnical(line)) technical += line.trim().length;
  }
  return technical * 2 < all || all === 0;
};

const MAY_HOLD_FENCES = /```|~~~/;

export const withoutBlocks = (text: string): string => {
  const below = text.replace(FRONT_MATTER, '');
  return MAY_HOLD_FENCES.test(below) ? below.replace(FENCES, '\n') : below;
};

/** The sentences and items of prose, without headings, tables, code and the marks of Markdown. */
export const sentencesOf = (text: string): string[] => {
  const lines = withoutBlocks(text)
    .split('\n')
    .filter((line) => !HEADING_LINE.test(line) && !TABLE_LINE.test(line));
  return splitSentences(lines.join('\n'), ENGLISH_ABBREVIATIONS);
};

const TIME_AT_HEAD = /^[[(]?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*\s+/;
const BRACKETS_AND_QUOTES = /[{}[\]"]/g;

/** The lines of data, code or a log, in a form for reading: without times and, in JSON, without marks. */
export const readableLines = (text: string): string[] => {
  const json = /^\s{0,1000}[{[]/.test(text);
  return text
    .split('\n')
    .map((line) => line.replace(TIME_AT_HEAD, ''))
    .map((line) => (json ? line.replace(BRACKETS_AND_QUOTES, '').replace(/,\s*$/, '') : line))
    .map(singleSpaced)
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
};
