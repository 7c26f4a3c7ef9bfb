// Memories that come under other tags over REST: of one fact one version holds there, and nothing that was said is lost.
import { describe, expect } from 'vitest';
import { type EntryBody, listMemories, recalled, tell } from '../rest/support/tell.ts';
import { pathOf, useMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';

const api = useMemoir();

const said = async (tags: string | string[], content: string, date?: string): Promise<string> => {
  const metadata = date === undefined ? {} : { metadata: { date } };
  const { id } = await api.add({ content, containerTags: [tags].flat(), ...metadata });
  await api.memoir.remembered(id);
  return id;
};

const merge = async (source: string, target: string): Promise<void> => {
  const asked = { containerTags: [source], targetContainerTag: target };
  const { status, body } = await api.ask<{ mergeId: string }>('POST', '/v3/container-tags/merge', asked);
  expect(status).toBe(202);
  const state = async () => (await api.ask('GET', `/v3/container-tags/merge/${body.mergeId}`)).body;
  await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: 'completed' });
};

const chainOf = ({ memory, history }: EntryBody): string[] => [
  ...history.map((one) => one.memory).reverse(),
  memory,
];

/** Each fact with all of its versions, the first one first. */
const facts = async (tag: string): Promise<string[][]> => {
  const { memoryEntries } = await listMemories(api, tag);
  for (const { version, history } of memoryEntries)
    expect([...history.map((one) => one.version).reverse(), version]).toEqual(
      Array.from({ length: version }, (_, at) => at + 1),
    );
  return memoryEntries.map(chainOf).sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''));
};

describe('after two tags were merged', () => {
  verifies('tags:merge:versions', 'what was said later holds, whichever side it comes from', async () => {
    for (const [ofSource, ofTarget] of [
      ['2021-01-01', '2023-01-01'],
      ['2023-01-01', '2021-01-01'],
    ] as const) {
      const [source, target] = [api.newTag(), api.newTag()];
      await said(source, 'Anna: I live in Berlin.', ofSource);
      await said(target, 'Anna: I live in Munich.', ofTarget);
      await merge(source, target);
      const order = ['Anna lives in Berlin', 'Anna lives in Munich'];
      expect(await facts(target)).toEqual([ofSource < ofTarget ? order : order.toReversed()]);
      expect(await recalled(api, target, 'Where does Anna live?', { threshold: 0 })).toHaveLength(1);
    }
  });

  verifies(
    'tags:merge:versions',
    'two histories of one fact are one, and what both say is said by both',
    async () => {
      const [source, target] = [api.newTag(), api.newTag()];
      await said(source, 'Anna: I live in Paris.', '2019-01-01');
      await said(source, 'Anna: I live in Munich.', '2023-01-01');
      await said(target, 'Anna: I live in Berlin.', '2021-01-01');
      await said(target, 'Anna: I live in Munich.', '2023-02-01');
      await merge(source, target);
      expect(await facts(target)).toEqual([
        ['Anna lives in Paris', 'Anna lives in Berlin', 'Anna lives in Munich'],
      ]);
      const [entry] = (await listMemories(api, target)).memoryEntries;
      expect(entry).toMatchObject({ sourceCount: 2, version: 3 });
    },
  );

  verifies(
    'tags:merge:versions',
    'what both say is said by both also where it is a detail of something else',
    async () => {
      const [source, target] = [api.newTag(), api.newTag()];
      await said(source, 'Anna: My dog Rex lives in Paris.', '2019-01-01');
      await said(source, 'Anna: My dog Rex lives in Munich.', '2021-01-01');
      await said(target, 'Anna: I have a dog called Rex.', '2022-01-01');
      await said(target, 'Anna: My dog Rex lives in Munich.', '2023-01-01');
      await merge(source, target);
      expect(await facts(target)).toEqual([
        ['Anna has a dog called Rex'],
        ["Anna's dog Rex lives in Paris", "Anna's dog Rex lives in Munich"],
      ]);
    },
  );

  verifies(
    'tags:merge:versions',
    'what may hold side by side stays, and so does what was told directly',
    async () => {
      const [source, target] = [api.newTag(), api.newTag()];
      await said(source, 'Anna: I like tea. Anna: I live in Rome.');
      await tell(api, source, 'Bob lives in Lyon.');
      await said(target, 'Anna: I like coffee.');
      await tell(api, target, 'Bob moved to Nice.');
      await merge(source, target);
      expect(await facts(target)).toEqual([
        ['Anna likes coffee'],
        ['Anna likes tea'],
        ['Anna lives in Rome'],
        ['Bob lives in Lyon.', 'Bob moved to Nice.'],
      ]);
    },
  );

  verifies(
    'tags:merge:versions',
    'after two tags were merged without the document that said so last, the one before holds again',
    async () => {
      const [source, target] = [api.newTag(), api.newTag()];
      await said(source, 'Anna: I live in Berlin.', '2021-01-01');
      const later = await said(target, 'Anna: I live in Munich.', '2023-01-01');
      await merge(source, target);
      expect((await api.remove(later)).status).toBe(204);
      await expect.poll(() => facts(target), { timeout: 10_000 }).toEqual([['Anna lives in Berlin']]);
    },
  );
});

describe('a document that moves', () => {
  verifies(
    'tags:merge:versions',
    'a document that moves brings what it says into the order of what is said there',
    async () => {
      const [from, to] = [api.newTag(), api.newTag()];
      const document = await said(from, 'Anna: I live in Berlin.', '2021-01-01');
      await said(to, 'Anna: I live in Munich.', '2023-01-01');
      const { status } = await api.ask('PATCH', pathOf(document), { containerTags: [to] });
      expect(status).toBe(200);
      expect(await facts(to)).toEqual([['Anna lives in Berlin', 'Anna lives in Munich']]);
      expect(await facts(from)).toEqual([]);
    },
  );

  verifies(
    'tags:merge:versions',
    'a document that moves because one of its tags was deleted does so as well',
    async () => {
      const [kept, gone] = [api.newTag(), api.newTag()];
      await said([kept, gone], 'Anna: I live in Berlin.', '2023-01-01');
      await said(kept, 'Anna: I live in Munich.', '2021-01-01');
      expect((await api.ask('DELETE', `/v3/container-tags/${gone}`)).status).toBeLessThan(300);
      expect(await facts(kept)).toEqual([['Anna lives in Munich', 'Anna lives in Berlin']]);
    },
  );
});
