// Tests of the default threshold over notes and conversations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenSearch, openSearch } from '../open.ts';
import { LABELLED_TAGS, type LabelledTag, type Talk } from './threshold-set.ts';

interface Measured {
  /** Similarities of right answers among the first five. */
  answers: number[];
  /** The best similarity for each question about nothing. */
  nothing: number[];
  questions: number;
  missed: number;
}

const written = ({ date, turns }: Talk): string =>
  `Date: ${date}\n${turns.map(([speaker, text]) => `${speaker}: ${text}`).join('\n')}`;

const fill = async (open: OpenSearch, { tag, notes, talks }: LabelledTag): Promise<void> => {
  await open.add(tag, [
    ...notes.map(({ id, text }) => ({ content: text, metadata: { name: id } })),
    ...talks.map((talk) => ({ content: written(talk), metadata: { name: talk.id } })),
  ]);
};

/** "trip/3" for the fourth turn of a talk. */
const nameOf = (talks: readonly Talk[], name: unknown, shown: string): string => {
  const talk = talks.find(({ id }) => id === name);
  if (!talk) return String(name);
  return `${name}/${talk.turns.findIndex(([, text]) => shown.includes(text))}`;
};

const measure = async (open: OpenSearch, searchMode: string): Promise<Measured> => {
  const result: Measured = { answers: [], nothing: [], questions: 0, missed: 0 };
  for (const { tag, talks, questions, aboutNothing } of LABELLED_TAGS) {
    const { memories } = open.searching()([tag]);
    for (const [question, ...answers] of questions) {
      const { results } = await memories(question, { searchMode, limit: 5, window: 0 });
      const right = results.filter(({ metadata, chunk = '' }) =>
        answers.includes(nameOf(talks, metadata?.name, chunk)),
      );
      result.questions += 1;
      result.missed += right.length === 0 ? 1 : 0;
      result.answers.push(...right.map(({ similarity }) => similarity));
    }
    for (const question of aboutNothing) {
      const { results } = await memories(question, { searchMode, limit: 1 });
      result.nothing.push(results[0]?.similarity ?? 0);
    }
  }
  return result;
};

const share = (values: readonly number[], holds: (value: number) => boolean): number =>
  values.filter(holds).length / values.length;

describe('the default threshold with the builtin embedder', () => {
  let open: OpenSearch;
  beforeAll(async () => {
    open = await openSearch();
    for (const labelled of LABELLED_TAGS) await fill(open, labelled);
  });
  afterAll(() => open[Symbol.asyncDispose]());

  it('keeps 85 % of the answers that rank among the first five, and 90 % of questions about nothing stay empty', async () => {
    const { answers, nothing, questions, missed } = await measure(open, 'hybrid');
    expect(questions).toBeGreaterThanOrEqual(60);
    expect(nothing.length).toBeGreaterThanOrEqual(40);
    expect(missed / questions).toBeLessThan(0.1);
    expect(share(answers, (similarity) => similarity >= 0.6)).toBeGreaterThanOrEqual(0.85);
    expect(share(nothing, (similarity) => similarity < 0.6)).toBeGreaterThanOrEqual(0.9);
  });
});
