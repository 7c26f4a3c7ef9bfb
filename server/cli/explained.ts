// Why a search answered as it did, in lines that people read.
import type { z } from 'zod';
import type { searchMemories } from '../../tools/search/memories.ts';
import type { Print } from './print.ts';
import { tame, wrap } from './text.ts';

type Answer = z.output<typeof searchMemories.output>;
type Explanation = NonNullable<Answer['explain']>;
type About = NonNullable<Explanation['about']>;
type Parts = NonNullable<Answer['results'][number]['explain']>;

const FIELD_NAMES: Readonly<Record<string, string>> = { relativeDates: 'relative dates' };

const number = (value: number): string => String(Math.round(value * 100) / 100);

const listed = (items: readonly (readonly [string, number])[]): string =>
  items
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${number(value)}`)
    .join(', ');

function wordsLine({ words }: Parts): string {
  if (words === null) return 'words: none of the query in it or around it';
  const fields = Object.entries(words.fields).map(
    ([name, value]) => [FIELD_NAMES[name] ?? name, value ?? 0] as const,
  );
  const terms = words.terms.map(({ term, strength }) => [term, strength] as const);
  return `words ${number(words.strength)}: ${listed(fields)} (${listed(terms)})`;
}

function meaningLine({ vector }: Parts): string {
  if (vector === null) return 'meaning: not compared';
  const beside = vector.weight === null ? '' : `, times its weight ${number(vector.weight)}`;
  return `meaning ${number(vector.relevance)}: cosine ${number(vector.cosine)}${beside}`;
}

/** What a result is made of. */
export const partLines = (parts: Parts, query: string): string[] => [
  wordsLine(parts),
  meaningLine(parts),
  ...parts.priors
    .filter(({ factor }) => factor !== 1)
    .map(({ name, factor }) => `${name}: times ${number(factor)}`),
  `evidence ${number(parts.evidence)}, similarity ${number(parts.similarity)}`,
  ...(parts.rerank === undefined ? [] : [`the reranker gives it ${number(parts.rerank)}`]),
  ...(parts.query === query ? [] : [`found by the wording "${parts.query}"`]),
];

function aboutLines({ id, kind, shown, removedBy, best }: About, query: string): string[] {
  const head = kind === null ? id : `${kind} ${id}`;
  if (shown) return [`${head} is among the results.`];
  return [
    `${head} is not among the results:`,
    ...removedBy.map(({ reason }) => `- ${reason}`),
    ...(best === null ? [] : partLines(best, query).map((line) => `  ${line}`)),
  ];
}

const searchLine = (one: Explanation['searches'][number]): string =>
  `${one.of} by ${one.by === 'both' ? 'words and meaning' : one.by}, "${one.query}": ` +
  `${one.among} there, ${one.read} read, ${one.found} left`;

/** How the answer came about, and what became of an id that was asked about. */
export function explanationLines(
  { searches, steps, about }: Explanation,
  query: string,
  print: Print,
): string[] {
  const lines = [
    ...searches.map(searchLine),
    `left after each step: ${steps.map(({ step, left }) => `${step} ${left}`).join(', ')}`,
  ];
  return [
    ...lines.flatMap((line) => wrap(line, print.columns)).map((line) => print.dim(line)),
    ...(about === undefined
      ? []
      : ['', ...aboutLines(about, query).flatMap((line) => wrap(tame(line), print.columns))]),
  ];
}
