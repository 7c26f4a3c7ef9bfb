// The explanation of a search result, as lines for people.
import type { z } from 'zod';
import type { searchMemories } from '../../../tools/search/memories.ts';
import { wrap } from './layout.ts';
import type { Print } from './print.ts';
import { withoutControls } from './text.ts';

type Answer = z.output<typeof searchMemories.output>;
type Explanation = NonNullable<Answer['explain']>;
type About = NonNullable<Explanation['about']>;
type Parts = NonNullable<Answer['results'][number]['explain']>;

const FIELD_NAMES: Readonly<Record<string, string>> = { relativeDates: 'relative dates' };

const roundedNumber = (value: number): string => String(Math.round(value * 100) / 100);

const weightedNames = (items: readonly (readonly [string, number])[]): string =>
  items
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${roundedNumber(value)}`)
    .join(', ');

const wordsLine = ({ words }: Parts): string => {
  if (words === null) return 'words: none of the query in it or around it';
  const fields = Object.entries(words.fields).map(
    ([name, value]) => [FIELD_NAMES[name] ?? name, value ?? 0] as const,
  );
  const terms = words.terms.map(({ term, strength }) => [term, strength] as const);
  return `words ${roundedNumber(words.strength)}: ${weightedNames(fields)} (${weightedNames(terms)})`;
};

const meaningLine = ({ vector }: Parts): string => {
  if (vector === null) return 'meaning: not compared';
  const weightNote = vector.weight === null ? '' : `, times its weight ${roundedNumber(vector.weight)}`;
  return `meaning ${roundedNumber(vector.relevance)}: cosine ${roundedNumber(vector.cosine)}${weightNote}`;
};

/** The parts of the score of one result. */
export const partLines = (parts: Parts, query: string): string[] => [
  wordsLine(parts),
  meaningLine(parts),
  ...parts.priors
    .filter(({ factor }) => factor !== 1)
    .map(({ name, factor }) => `${name}: times ${roundedNumber(factor)}`),
  `evidence ${roundedNumber(parts.evidence)}, similarity ${roundedNumber(parts.similarity)}`,
  ...(parts.rerank === undefined ? [] : [`reranker score ${roundedNumber(parts.rerank)}`]),
  ...(parts.query === query ? [] : [`found by the wording "${parts.query}"`]),
];

const aboutLines = ({ id, kind, shown, removedBy, best }: About, query: string): string[] => {
  const head = kind === null ? id : `${kind} ${id}`;
  if (shown) return [`${head} is among the results.`];
  return [
    `${head} is not among the results:`,
    ...removedBy.map(({ reason }) => `- ${reason}`),
    ...(best === null ? [] : partLines(best, query).map((line) => `  ${line}`)),
  ];
};

const searchLine = (one: Explanation['searches'][number]): string =>
  `${one.of} by ${one.by === 'both' ? 'words and meaning' : one.by}, "${one.query}": ` +
  `${one.among} in scope, ${one.read} compared, ${one.found} kept`;

/** The steps of the search, and the outcome for the document, memory or passage of `--explain-id`. */
export const explanationLines = (
  { searches, steps, about }: Explanation,
  query: string,
  print: Print,
): string[] => {
  const lines = [
    ...searches.map(searchLine),
    `left after each step: ${steps.map(({ step, left }) => `${step} ${left}`).join(', ')}`,
  ];
  return [
    ...lines.flatMap((line) => wrap(line, print.columns)).map((line) => print.dim(line)),
    ...(about === undefined
      ? []
      : ['', ...aboutLines(about, query).flatMap((line) => wrap(withoutControls(line), print.columns))]),
  ];
};
