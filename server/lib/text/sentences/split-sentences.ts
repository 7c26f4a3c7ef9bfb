// Splits a text into sentences and removes marks of lists, headings and code. Linear in the text.
import { singleSpaced } from '../single-spaced.ts';
import { CLOSERS, continuesSentence, endsIn, FULL_LINE, SPACED_ENDS } from './sentence-marks.ts';

/** A longer run without an end is cut: no statement is that long. */
const LONGEST_SENTENCE = 600;
const CODE_BLOCKS = /^```[^\n]*\n[\s\S]*?(?:^```[^\n]*$|$(?![\s\S]))/gm;
const LINE_MARKS = /^[ \t]*(?:[-*•+>]+[ \t]+|#{1,6}[ \t]+|\d{1,3}[.)][ \t]+|\[[ x]\][ \t]+)+/i;
const HEADING = /^[ \t]*#{1,6}[ \t]/;
const LIST_ITEM = /^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]/;
const LINKS = /!?\[([^\][]{0,200})\]\([^()\s]{0,500}\)/g;
const EMPHASIS =
  /\*\*|(?<![\p{L}\p{N}])(?:__|[*_])(?=\p{L})|(?<=[\p{L}\p{N}]|[.!?])(?:__|[*_])(?![\p{L}\p{N}])|`/gu;
const PICTURES = /(?:\p{Extended_Pictographic}|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}])+/gu;
const ENDS = new RegExp(`[${SPACED_ENDS}]+[${CLOSERS}]*(?=\\s|$)|[。！？]+[${CLOSERS}]*`, 'gu');
/** A line that ends so is not wrapped. */
const LINE_ENDS = `${SPACED_ENDS}:;。`;
const CLOSERS_OF_LINE = `"'”)`;

const isWrapped = (line: string): boolean => {
  let end = line.trimEnd();
  while (endsIn(end, CLOSERS_OF_LINE)) end = end.slice(0, -1);
  return !endsIn(end, LINE_ENDS);
};

/** Most lines hold none, and to look for it takes a fraction of replacing. */
const MAY_HOLD_MARKUP = /[[*_`\u0080-\uffff]/;

const withoutMarkup = (line: string): string =>
  singleSpaced(
    MAY_HOLD_MARKUP.test(line)
      ? line.replace(LINKS, '$1').replace(EMPHASIS, '').replace(PICTURES, ' ')
      : line,
  );

const withoutCode = (text: string): string => (text.includes('```') ? text.replace(CODE_BLOCKS, '\n') : text);

/** Splits into paragraphs: a wrapped line is joined with the next. */
const paragraphs = (text: string): string[] => {
  const found: string[] = [];
  let open = false;
  for (const line of withoutCode(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n')) {
    const plain = withoutMarkup(line.replace(LINE_MARKS, ''));
    const wrapped = open && plain !== '' && !HEADING.test(line) && !LIST_ITEM.test(line);
    if (wrapped) found.push(`${found.pop() ?? ''} ${plain}`);
    else if (plain !== '') found.push(plain);
    open = !HEADING.test(line) && line.length >= FULL_LINE && isWrapped(line);
  }
  return found;
};

const pushWithin = (piece: string, found: string[]): void => {
  let rest = piece.trim();
  while (rest.length > LONGEST_SENTENCE) {
    const blank = rest.lastIndexOf(' ', LONGEST_SENTENCE);
    const end = blank > LONGEST_SENTENCE / 2 ? blank : LONGEST_SENTENCE;
    found.push(rest.slice(0, end).toWellFormed());
    rest = rest.slice(end).trim();
  }
  if (rest !== '') found.push(rest);
};

/** The sentences of a text in order, without the marks of lists, headings, emphasis and code. */
export const splitSentences = (text: string, abbreviations: ReadonlySet<string>): string[] => {
  const found: string[] = [];
  for (const paragraph of paragraphs(text)) {
    let start = 0;
    for (const { 0: mark, index } of paragraph.matchAll(ENDS)) {
      const end = index + mark.length;
      if (end < paragraph.length && continuesSentence(paragraph, start, end, abbreviations)) continue;
      pushWithin(paragraph.slice(start, end), found);
      start = end;
    }
    pushWithin(paragraph.slice(start), found);
  }
  return found;
};
