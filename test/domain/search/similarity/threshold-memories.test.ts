// Tests of the default threshold over memories.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenSearch, openSearch } from '../open.ts';
import { REMEMBERED_TAGS, type RememberedTag } from './memory-set.ts';

let open: OpenSearch;
beforeAll(async () => {
  open = await openSearch();
});
afterAll(() => open[Symbol.asyncDispose]());

const share = (values: readonly boolean[]): number => values.filter(Boolean).length / values.length;

const say = (tag: string, memories: readonly (readonly [string, string])[]) =>
  open.remember(
    tag,
    memories.map(([name, memory]) => ({ memory, metadata: { name } })),
  );

const found = async (tag: string, q: string, more: object = {}) => {
  const { results } = await open
    .searching()([tag])
    .memories(q, { searchMode: 'memories', limit: 5, ...more });
  return results.map(({ metadata, similarity }) => ({ name: String(metadata?.name), similarity }));
};

describe('the default threshold over memories, with the builtin embedder', () => {
  it('keeps 85 % of the answers that rank among the first five, and 90 % of questions about nothing stay empty', async () => {
    const kept: boolean[] = [];
    const missed: boolean[] = [];
    const empty: boolean[] = [];
    for (const { tag, memories, questions, aboutNothing } of REMEMBERED_TAGS) {
      await say(tag, Object.entries(memories));
      for (const [question, ...answers] of questions) {
        const right = (await found(tag, question)).filter(({ name }) => answers.includes(name));
        missed.push(right.length === 0);
        kept.push(...right.map(({ similarity }) => similarity >= 0.6));
      }
      for (const question of aboutNothing)
        empty.push((await found(tag, question, { threshold: 0.6 })).length === 0);
    }
    expect(missed.length).toBeGreaterThanOrEqual(80);
    expect(empty.length).toBeGreaterThanOrEqual(40);
    expect(share(missed)).toBeLessThan(0.1);
    expect(share(kept)).toBeGreaterThanOrEqual(0.85);
    expect(share(empty)).toBeGreaterThanOrEqual(0.9);
  });

  /** Every so many-th of them, begun at another one each time. */
  const some = ({ memories }: RememberedTag, size: number, round: number) => {
    const all = Object.entries(memories);
    const step = Math.floor(all.length / size);
    return Array.from({ length: size }, (_, at) => all[(round + at * step) % all.length] ?? ['', '']) as [
      string,
      string,
    ][];
  };

  // The fewer, the likelier one of them is the answer, and a missed fact is worse than a line too much (decision 18).
  it.each([
    [3, 0.95, 0.2],
    [12, 0.85, 0.55],
    [24, 0.85, 0.7],
  ])('keeps the more answers the fewer things are known of a person: %i', async (size, answered, silent) => {
    const kept: boolean[] = [];
    const empty: boolean[] = [];
    for (let round = 0; round < 4; round++) {
      const known = REMEMBERED_TAGS[0];
      if (!known) throw new Error('There is no labelled tag.');
      const tag = `few ${size} ${round}`;
      const told = some(known, size, round);
      await say(tag, told);
      const names = new Set(told.map(([name]) => name));
      for (const [question, ...answers] of known.questions) {
        const hits = (await found(tag, question, { threshold: 0.6 })).map(({ name }) => name);
        if (answers.some((name) => names.has(name))) kept.push(hits.some((name) => answers.includes(name)));
        else empty.push(hits.length === 0);
      }
    }
    expect(share(kept)).toBeGreaterThanOrEqual(answered);
    expect(share(empty)).toBeGreaterThanOrEqual(silent);
  });
});
