// Content is found from the moment it is done until it is deleted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LABELLED_TAGS, type Talk } from '../domain/search/similarity/threshold-set.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { addTexts, routes, searchesOf, textOf } from './support/searches.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();
const { memories, documents } = searchesOf(api);

describe('a document', () => {
  let lonely: OwnMemoir;
  beforeAll(async () => {
    // A vector index that does not answer, and a scope that would ask it.
    lonely = await startMemoir({ CHROMA_URL: 'http://127.0.0.1:9' }, { searchLimits: { narrow: 2 } });
  });
  afterAll(() => lonely.close());

  verifies(
    'search:fresh:when-done',
    'a document is found the moment it is done, though the vector index is stopped',
    async () => {
      for (let number = 0; number < 12; number++) {
        const content = `Signal ${number} hangs above track ${number * 7 + 3}.`;
        const { status } = await lonely.add({ content, containerTag: 'signals' });
        expect(status).toBe('done');
        for (const searchMode of ['semantic', 'hybrid']) {
          const asked = { q: content, containerTag: 'signals', searchMode };
          for (const path of routes) {
            const { body } = await lonely.ask<{ results: unknown[] }>('POST', path, asked);
            expect(JSON.stringify(body.results[0])).toContain(content.slice(0, -1));
          }
        }
      }
    },
  );

  test('a document is found by every one of many searches while others are added', async () => {
    const containerTag = api.newTag();
    await api.add({ content: 'The anchor weighs two tons.', containerTag });
    const adding = addTexts(
      api,
      containerTag,
      Array.from({ length: 150 }, (_, n) => `Rope ${n} is wet.`),
    );
    for (let round = 0; round < 20; round++)
      expect((await memories('How much does the anchor weigh?', { containerTag })).map(textOf)[0]).toContain(
        'The anchor weighs two tons',
      );
    await adding;
    expect(await documents('rope 149', { containerTag, searchMode: 'keyword', limit: 1 })).toHaveLength(1);
  });

  test('a document that is deleted or replaced is never found again', async () => {
    const containerTag = api.newTag();
    const [gone = '', changed = ''] = await addTexts(api, containerTag, [
      'The chart of the reef is in the drawer.',
      'The sextant is in the drawer.',
    ]);
    await api.remove(gone);
    await api.patch(changed, { content: 'The sextant was sold.' });
    await api.settled(changed);
    for (const searchMode of ['memories', 'documents', 'hybrid', 'semantic', 'keyword']) {
      const asked = { containerTag, searchMode, threshold: 0, limit: 100 };
      for (const q of ['the chart of the reef', 'the sextant in the drawer', 'drawer']) {
        const found = JSON.stringify([await memories(q, asked), await documents(q, asked)]);
        expect(found).not.toContain('reef');
        expect(found).not.toContain('in the drawer');
      }
    }
    expect((await memories('the sextant', { containerTag })).map(textOf)).toEqual([
      expect.stringContaining('The sextant was sold'),
    ]);
  });
});

const written = ({ date, turns }: Talk): string =>
  `Date: ${date}\n${turns.map(([speaker, text]) => `${speaker}: ${text}`).join('\n')}`;

const share = (values: readonly boolean[]): number => values.filter(Boolean).length / values.length;

verifies(
  'search:v4:threshold-usable',
  'the default threshold lets through what is related, and nothing for a question about nothing stored',
  async () => {
    for (const { tag, notes, talks } of LABELLED_TAGS) {
      const ids = await addTexts(api, tag, [...notes.map(({ text }) => text), ...talks.map(written)]);
      await Promise.all(ids.map(api.memoir.remembered));
    }
    // Not every passage states a memory: least of all what an assistant says.
    for (const [searchMode, least] of [['hybrid', 0.85] as const, ['memories', 0.75] as const]) {
      const answered: boolean[] = [];
      const silent: boolean[] = [];
      for (const { tag: containerTag, questions, aboutNothing } of LABELLED_TAGS) {
        const found = async (q: string) => (await memories(q, { containerTag, searchMode })).length;
        for (const [question] of questions) answered.push((await found(question)) > 0);
        for (const question of aboutNothing) silent.push((await found(question)) === 0);
      }
      expect(share(answered), searchMode).toBeGreaterThanOrEqual(least);
      expect(share(silent), searchMode).toBeGreaterThanOrEqual(0.9);
    }
  },
);
