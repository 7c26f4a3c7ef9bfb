// Draws the title and the summary of a text without a model: from its headings, its sentences and its names.

import { once } from '../../once.ts';
import { cutAtWord } from '../cut.ts';
import { isUnspaced } from '../language/scripts.ts';
import { endsIn } from '../sentences/sentence-marks.ts';
import { singleSpaced } from '../single-spaced.ts';
import { haveTerms } from '../terms/analyse.ts';
import { centralSentences } from './central-sentences.ts';
import {
  HEADING_LINE,
  isProse,
  mailHead,
  type OutlinePiece,
  readableLines,
  sampleOf,
  sentencesOf,
  withoutBlocks,
} from './outline-text.ts';
import { type ReadSentence, readSentence, readSentences } from './read-sentences.ts';
import { isTellingName } from './telling-name.ts';

export interface OutlineSource {
  /** In reading order; the first ones are used. */
  readonly pieces: readonly OutlinePiece[];
  /** The title that the text states of itself; null: none. */
  readonly stated: string | null;
  /** The name of the file that it was sent as, without extension; null: it was no file. */
  readonly fileName: string | null;
  /** Another name, for a text that says nothing better; null: none. */
  readonly otherName: string | null;
}

export interface Outline {
  /** Null: there is no text to be seen. */
  readonly title: string | null;
  /** True: the text states the title of itself. */
  readonly isStated: boolean;
  readonly summary: string | null;
}

/** The outline of a document without text. */
export const NO_OUTLINE: Outline = { title: null, isStated: false, summary: null };

const LONGEST_TITLE = 80;
const LONGEST_SUMMARY = 300;
const FEWEST_TERMS = 2;
/** In a conversation: "Good morning." */
const FEWEST_SAID = 3;
/** "Hey Mel, good to see you!" */
const FEWEST_EXCLAIMED = 5;

/** A greeting says less, and a line before a list or below a salutation is no sentence. */
const tells = ({ text, words }: ReadSentence, fewest: number): boolean =>
  !endsIn(text, ',;:') && haveTerms(words(), endsIn(text, '!！') ? FEWEST_EXCLAIMED : fewest);

const isTelling = (sentence: ReadSentence): boolean => tells(sentence, FEWEST_TERMS);

const titleOf = (sentence: string): string => {
  const title = singleSpaced(sentence);
  const bare = title.slice(0, -1);
  return cutAtWord(endsIn(title, '.。।۔') && !endsIn(bare, '.…') ? bare : title, LONGEST_TITLE);
};

/** The text of a comment at the head of code. */
const COMMENT = /^\s*(?:#+(?!!)|\/\/+|\/\*+|\*|--+|;+|%+|"""|''')\s*(\p{L}.*?)\s*(?:\*\/|""")?$/u;
const LEGAL = /copyright|licen[cs]e|spdx|eslint|coding:/i;
const COMMENT_LINES = 8;

const headComment = (text: string): string | undefined =>
  text
    .split('\n', COMMENT_LINES)
    .flatMap((line) => COMMENT.exec(line)?.[1] ?? [])
    .find((comment) => !LEGAL.test(comment) && isTelling(readSentence(comment)));

/** The name that data give themselves. */
const NAME_IN_DATA = /["'](?:title|name|subject)["']\s{0,20}:\s{0,20}"((?:[^"\\\n]|\\.){2,200})"/i;
const NAMED_WITHIN = 2_000;

const nameInData = (text: string): string | undefined =>
  /^\s{0,1000}\{/.test(text) ? NAME_IN_DATA.exec(text.slice(0, NAMED_WITHIN))?.[1] : undefined;

const firstHeading = (text: string): string | undefined => {
  for (const line of text.split('\n')) {
    const heading = HEADING_LINE.exec(line)?.[1];
    if (heading !== undefined) return sentencesOf(heading.replace(/ {1,40}#{1,40} {0,40}$/, '')).join(' ');
  }
  return undefined;
};

interface Said {
  readonly sentences: readonly ReadSentence[];
  /** A heading or a subject. */
  readonly heading?: string | undefined;
}

const isQuestion = ({ text }: ReadSentence): boolean => endsIn(text, '?？؟');

/** The words of the user of a chat, with the answers where the user only asked. */
const saidIn = (messages: readonly OutlinePiece[]): Said & { first: readonly ReadSentence[] } => {
  const sentences = (pieces: readonly OutlinePiece[]) =>
    pieces.flatMap(({ text }) => readSentences(text, sentencesOf(text)));
  const all = sentences(messages);
  const own = sentences(messages.filter(({ role }) => role === 'user'));
  const states = own.some((sentence) => isTelling(sentence) && !isQuestion(sentence));
  const telling = (states ? own : all).filter(isTelling);
  return { sentences: telling.length > 0 ? telling : all, first: own.length > 0 ? own : all };
};

const TOGETHER = /[\p{P}\p{S}]$/u;
/** The last character, of one or two units. */
const LAST = -2;

/** Lines without a mark at their end are kept apart by a dot. */
const joined = (parts: readonly string[]): string =>
  parts.reduce((text, part) => {
    if (text === '') return part;
    if (!TOGETHER.test(text.slice(LAST))) return `${text} · ${part}`;
    return isUnspaced(part) && endsIn(text, '。！？') ? text + part : `${text} ${part}`;
  }, '');

/** The widest gap that `joined` makes. */
const GAP = 3;

/** The first parts that fit. */
const leadOf = (parts: readonly string[]): string => {
  const [first = ''] = parts;
  let lead = cutAtWord(first, LONGEST_SUMMARY);
  for (const part of parts.slice(1)) {
    const longer = joined([lead, part]);
    if (longer.length > LONGEST_SUMMARY) break;
    lead = longer;
  }
  return lead;
};

const summaryOf = (sentences: readonly ReadSentence[]): string => {
  const lead = once(() => leadOf(sentences.map(({ text }) => text)));
  const length = sentences.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LONGEST_SUMMARY && length <= lead().length) return lead();
  const telling = sentences.filter(isTelling);
  const central = centralSentences(telling, { characters: LONGEST_SUMMARY, gap: GAP });
  return central.length === 0 ? lead() : joined(central.flatMap((at) => telling[at]?.text ?? []));
};

const outlineOfProse = ({ sentences, heading }: Said, first: readonly ReadSentence[], fewest: number) => {
  const opening = first.find((sentence) => tells(sentence, fewest)) ?? first.find(isTelling) ?? first[0];
  return {
    good: heading ?? (opening === undefined ? undefined : titleOf(opening.text)),
    weak: undefined,
    summary: sentences.length === 0 ? null : summaryOf(sentences),
  };
};

const outlineOfLines = (text: string) => {
  const lines = readableLines(text);
  const comment = headComment(text);
  return {
    good:
      nameInData(text) ?? (comment === undefined ? undefined : titleOf(sentencesOf(comment)[0] ?? comment)),
    weak: lines[0],
    summary: lines.length === 0 ? null : leadOf(lines),
  };
};

const outlineOfSample = (sample: readonly OutlinePiece[]) => {
  const messages = sample.filter(({ isMessage }) => isMessage);
  if (messages.length > 0) {
    const { first, ...said } = saidIn(messages);
    return outlineOfProse(said, first, FEWEST_SAID);
  }
  const text = sample.map((piece) => piece.text).join('\n\n');
  const mail = mailHead(text);
  const body = mail?.body ?? text;
  const bare = withoutBlocks(body);
  if (mail === null && !isProse(bare)) return outlineOfLines(text);
  const sentences = readSentences(body, sentencesOf(body));
  const heading = mail?.subject ?? firstHeading(bare);
  return outlineOfProse({ sentences, heading }, sentences, FEWEST_TERMS);
};

/** Titles and summaries are single lines. */
const shown = (text: string | undefined | null, most: number): string | null =>
  cutAtWord(singleSpaced(text ?? ''), most) || null;

/** Bounded work, whatever the length of the text. */
export const drawOutline = ({ pieces, stated, fileName, otherName }: OutlineSource): Outline => {
  const sample = sampleOf(pieces);
  const text = sample.map((piece) => piece.text).join('\n');
  const { good, weak, summary } = outlineOfSample(sample);
  const named = fileName !== null && isTellingName(fileName) ? fileName : undefined;
  const titles = [named, good, otherName, fileName, weak, text];
  const found = titles.find((title) => title != null && /\S/.test(title));
  return {
    title: stated ?? shown(found, LONGEST_TITLE),
    isStated: stated !== null,
    summary: shown(summary ?? text, LONGEST_SUMMARY),
  };
};
