// Writes out what the shape of a note says: a list under a heading, and lines with a label, as sentences.
import { clauseOf } from '../grammar/clause.ts';
import { fromLabel } from '../sentences/restored.ts';
import { isOwnName, isTaskHeading, labelSentence, personSentence } from './forms.ts';
import { itemSentence } from './items.ts';
import { headingIn, type Line, labelIn, linesOf } from './lines.ts';

interface Group {
  readonly heading: string;
  readonly lines: Line[];
}

/** A list ends at the next heading and at a paragraph. */
const groupsOf = (lines: readonly Line[]): Group[] => {
  const groups: Group[] = [];
  let group: Group = { heading: '', lines: [] };
  for (const line of lines) {
    const isBlank = line.text.trim() === '';
    const isInside = line.isItem || isBlank || (group.heading !== '' && labelIn(line) !== null);
    if (line.isHeading) group = { heading: headingIn(line.text) ?? '', lines: [] };
    else if (!isInside && group.heading !== '') group = { heading: '', lines: [] };
    if (!groups.includes(group)) groups.push(group);
    if (!line.isHeading) group.lines.push(line);
  }
  return groups;
};

/** "Cache: Redis 7. Timeout: 30 seconds." holds two. */
const labelledParts = (line: Line): Line[] =>
  line.text
    .split(/(?<=[\p{L}\p{N}]\.)\s+(?=\p{Lu}[^:.]{1,30}: )|;\s+/u)
    .map((text) => ({ ...line, text: text.trim() }));

const sentenceOf = (line: Line, group: Group, own: boolean): string | null => {
  const labelled = labelIn(line);
  const taste = fromLabel(line.text);
  if (taste !== line.text) return taste;
  if (labelled) {
    const person = personSentence(labelled, isTaskHeading(group.heading));
    if (person !== null) return person;
  }
  const item = group.heading === '' ? null : itemSentence(group.heading, line, group.lines);
  // "Dune: a classic" in a list describes an item, it fills in no form.
  const isListed = line.isItem && group.heading !== '';
  if (item !== null || !labelled || isListed || isTaskHeading(group.heading)) return item;
  const isBlock = group.lines.filter((one) => labelIn(one) !== null).length > 1;
  return labelSentence(labelled, { isOwn: own, isBlock });
};

const writtenGroup = (group: Group): string => {
  const lines = group.lines.flatMap((line) => (labelIn(line) ? labelledParts(line) : [line]));
  const labels = lines.map(labelIn).filter((label) => label !== null);
  const isOwn = labels.length > 1 && labels.some(isOwnName);
  const written = lines.map((line) => {
    const sentence = sentenceOf(line, { ...group, lines }, isOwn);
    return sentence === null ? asWritten(line) : withEnd(sentence);
  });
  return [group.heading, ...written].join('\n');
};

/** A long line without an end would be joined with the next. */
const withEnd = (sentence: string): string => (/[.!?:;]$/.test(sentence) ? sentence : `${sentence}.`);

/** A list item keeps its mark, so that it stays a sentence of its own. */
const asWritten = ({ text, isItem }: Line): string => {
  if (isItem) return `- ${text}`;
  return MARKED_HEADING.test(text) && clauseOf(text.replace(MARKED_HEADING, '')) === null ? '' : text;
};

/** "# Weekly sync, 14 April" heads what follows, and states nothing. */
const MARKED_HEADING = /^\s*#{1,6}\s+/;

/** "Parish council, 9 April": the grammar takes it for a line without a verb. */
const MEETING =
  /\b(?:meeting|minutes|council|committee|stand-?up|sync|retro(?:spective)?|agenda|assembly)\b/i;
const TITLE_WORDS = 9;

const isTitleOfMinutes = ({ text, isItem }: Line): boolean =>
  !isItem &&
  MEETING.test(text) &&
  !/[.!?:;]\s*$/.test(text) &&
  text.trim().split(/\s+/).length <= TITLE_WORDS &&
  clauseOf(text) === null;

const withoutTitle = ([first, ...rest]: readonly Line[]): readonly Line[] => {
  if (first === undefined) return rest;
  return isTitleOfMinutes(first) ? rest : [first, ...rest];
};

/** The text with each line as a sentence that needs no heading. */
export const writtenOut = (text: string): string =>
  text.includes('\n')
    ? groupsOf(withoutTitle(linesOf(text)))
        .map(writtenGroup)
        .join('\n')
    : text;
