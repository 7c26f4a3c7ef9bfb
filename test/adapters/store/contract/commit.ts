// Making a document searchable: chunks, their words and vectors, the outbox, and counters.
import { describe, expect, test } from 'vitest';
import type { DocumentToCommit } from '../../../../server/adapters/store/ports/ingestion/commits.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { encodeTerms } from '../../../../server/lib/text/terms/terms.ts';
import { FLOAT_SPACE, readClaim, SPACE, vectorOf } from './reading.ts';
import {
  contentPatch,
  everything,
  type OpenStore,
  only,
  openWorld,
  WIDE_SHARE,
  type World,
} from './world.ts';

const chunksOf = async (world: World, id: string) =>
  world.store.documents.chunks(everything, (await world.get(id)).n);

/** The one document that waits, with a hand on what the pipeline makes of it. */
const commitOne = async (world: World, change: (read: DocumentToCommit) => DocumentToCommit) => {
  const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
  if (!claim) throw new Error('nothing was claimed');
  const read = readClaim(claim, { spaces: [world.space] });
  return world.ingest.commit([change(read)], [{ id: world.space, ...SPACE }]);
};

const found = async (world: World, ...terms: string[]): Promise<number> =>
  (await world.store.search.keyword(everything, {}, terms, { aside: false, limit: 10 })).matches.length;

export const commitContract = (open: OpenStore): void => {
  describe('committing', () => {
    test('a chunk is stored with all its fields', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one');
      const told = {
        ...{ position: 3, part: 2, flags: 5, title: 'T', speaker: 'Ada', role: 'user', date: 86_400_000 },
        metadata: { page: 4 },
      };
      await commitOne(world, (read) => ({
        ...read,
        added: read.added.map((chunk) => ({ ...chunk, ...told })),
      }));
      expect(await chunksOf(world, id)).toEqual([
        { ...told, n: expect.any(Number), id: expect.any(String), text: 'one', createdAt: world.clock.now() },
      ]);
      expect(await world.get(id)).toMatchObject({ step: 'done', chunks: 1, content: 'one' });
    });

    test('chunks that stay keep their ids and numbers, and the others are added and removed', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one\n\ntwo\n\nthree', { customId: 'c' });
      await world.index();
      const before = await chunksOf(world, id);
      await world.patch(id, contentPatch('zero\n\nthree\n\none'));
      await world.index();
      const after = await chunksOf(world, id);
      expect(after.map(({ text }) => text)).toEqual(['zero', 'three', 'one']);
      expect(after[1]).toEqual({ ...before[2], position: 1 });
      expect(after[2]).toEqual({ ...before[0], position: 2 });
      expect(before.map(({ n }) => n)).not.toContain(after[0]?.n);
      expect([await found(world, 'two'), await found(world, 'three')]).toEqual([0, 1]);
    });

    test('a number is never given twice', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      const numbers: number[] = [];
      for (let round = 0; round < 5; round++) {
        await world.patch(id, contentPatch(`text ${round}\n\nmore ${round}`));
        await world.index();
        numbers.push(...(await chunksOf(world, id)).map(({ n }) => n));
      }
      expect(new Set(numbers).size).toBe(10);
    });

    test('documents of one container are stored together, and those of another elsewhere', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 6; at++) await world.add(`text ${at}`, { tags: [at % 2 ? 'a' : 'b'] });
      await world.index();
      const rows = await world.rows(
        'select chunks.n, container from chunks inner join documents on documents.n = doc',
      );
      for (const { n, container } of rows) expect(Math.floor(Number(n) / 2 ** 28)).toBe(container);
    });

    test('a chunk whose heading or date changed is found by the new words and no longer by the old', async () => {
      await using world = await openWorld(open);
      const id = await world.add('body', { customId: 'c' });
      const headed = (title: string, date: number) => (read: DocumentToCommit) => {
        const words = {
          ...{ title, date, body: 'bodi', extra: analyse(title).join(' ') },
          terms: encodeTerms({ body: ['bodi'], title: analyse(title) }),
        };
        return {
          ...read,
          added: read.added.map((chunk) => ({ ...chunk, ...words })),
          kept: read.kept.map((chunk) => ({ ...chunk, inputHash: title, words })),
        };
      };
      const weighed = async (word: string) => {
        const options = { aside: false, limit: 10 };
        const { matches } = await world.store.search.keyword(only('a'), {}, analyse(word), options);
        return matches.flatMap(({ held }) => held);
      };
      await commitOne(world, headed('Zebra', 1));
      expect(await weighed('zebra')).toHaveLength(1);
      const [first] = await chunksOf(world, id);
      await world.add('\n\n', { customId: 'c' });
      await commitOne(world, headed('Giraffe', 2));
      expect(await chunksOf(world, id)).toEqual([{ ...first, title: 'Giraffe', date: 2 }]);
      expect([await found(world, 'zebra'), await found(world, ...analyse('giraffe'))]).toEqual([0, 1]);
      // The search that ranked it before keeps the terms of chunks.
      expect(await weighed('giraffe')).toHaveLength(1);
      expect(await found(world, 'bodi')).toBe(1);
    });

    test('a commit is stored completely or not at all', async () => {
      await using world = await openWorld(open);
      const ids = [await world.add('one'), await world.add('two')];
      const claims = await world.ingest.claim('boot', WIDE_SHARE);
      const read = claims.map((claim) => readClaim(claim, { spaces: [world.space] }));
      const [good, bad] = read;
      if (!good || !bad) throw new Error('two were to be claimed');
      const broken = { ...bad, added: bad.added.map((chunk) => ({ ...chunk, text: null as never })) };
      const spaces = [{ id: world.space, ...SPACE }];
      await expect(world.ingest.commit([good, broken], spaces)).rejects.toThrow();
      expect(await found(world, 'one')).toBe(0);
      expect(await world.ingest.outbox(world.space, 10)).toEqual([]);
      expect(await world.ingest.commit(read, spaces)).toBe(2);
      for (const id of ids) expect(await world.get(id)).toMatchObject({ step: 'done', chunks: 1 });
    });

    test('decisions are stored, so that no submission is merged twice', async () => {
      await using world = await openWorld(open);
      await world.add('one', { customId: 'c' });
      await world.add('two', { customId: 'c' });
      await world.index();
      const rows = await world.rows('select decision from submissions order by n');
      expect(rows.map((row) => row.decision)).toEqual(['created', 'merge']);
    });

    test('of what was left out the last three parts are named in their order, and the others are counted', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      await world.index();
      for (const part of ['A', 'B', 'C', 'D', 'E']) {
        await world.add(part, { customId: 'c' });
        const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
        if (!claim) throw new Error('nothing was claimed');
        const decisions = claim.submissions.map(({ n }) => ({
          ...{ submission: n, decision: 'unreadable', leftOut: `${part} was left out.` },
        }));
        await world.ingest.commit([{ ...readClaim({ ...claim, submissions: [] }), decisions }], []);
      }
      expect((await world.get(id)).note).toBe(
        'C was left out. D was left out. E was left out. 2 earlier parts were left out too.',
      );
    });

    test('the layout of a content is passed to the next claim, until the content is replaced', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      const one = async () => {
        const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
        if (!claim) throw new Error('nothing was claimed');
        return claim;
      };
      const first = await one();
      expect(first.layout).toBeNull();
      const layout = [{ kind: 'text' as const, length: 3 }];
      await world.ingest.commit(
        [{ ...readClaim(first), layout, type: 'page', url: 'https://a.example' }],
        [],
      );
      expect(await world.get(id)).toMatchObject({ step: 'done', type: 'page', url: 'https://a.example' });
      await world.add('two', { customId: 'c' });
      const second = await one();
      expect(second.layout).toEqual(layout);
      await world.ingest.commit([{ ...readClaim(second), layout }], []);
      await world.patch(id, contentPatch('three'));
      expect((await one()).layout).toBeNull();
    });

    test('a failed last submission leaves the rest in place, and is merged when it is sent again', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      await world.index();
      await world.add('bad', { customId: 'c' });
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      const failure = { code: 'unreadable', message: 'It is no text.', retryable: false };
      const decisions = claim.submissions.map(({ n }) => ({ submission: n, decision: 'unreadable' }));
      await world.ingest.commit([{ ...readClaim({ ...claim, submissions: [] }), decisions, failure }], []);
      expect(await world.get(id)).toMatchObject({ step: 'failed', failure, content: 'one', chunks: 1 });
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
      await world.add('bad', { customId: 'c' });
      const [again] = await world.ingest.claim('boot', WIDE_SHARE);
      expect(again?.submissions.map(({ content }) => content)).toEqual(['bad']);
    });

    test('a moved document leaves nothing under its former tags', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one\n\ntwo', { tags: ['a'] });
      await world.index();
      await world.patch(id, { tags: ['b'] });
      await world.index();
      const rows = await world.rows(
        'select documents, chunks, body_tokens, messages from containers order by documents',
      );
      expect(rows).toEqual([
        { documents: 0, chunks: 0, body_tokens: 0, messages: 0 },
        { documents: 1, chunks: 2, body_tokens: 2, messages: 2 },
      ]);
      expect(await world.ingest.countVectors(world.space)).toBe(2);
    });
  });

  describe('the outbox', () => {
    const told = async (world: World) => {
      const rows = await world.ingest.outbox(world.space, 1000);
      return rows.map(({ op }) => op).join(' ');
    };

    test('receives every added, changed and removed chunk, in order, and nothing else', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one\n\ntwo', { customId: 'c' });
      await world.index();
      expect(await told(world)).toBe('upsert upsert');
      const rows = await world.ingest.outbox(world.space, 1000);
      const [one, two] = await chunksOf(world, id);
      expect(rows.map(({ n }) => n)).toEqual([one?.n, two?.n]);
      await world.ingest.acknowledge(
        world.space,
        rows.map(({ seq }) => seq),
      );
      await world.patch(id, { metadata: { x: 1 } });
      await world.index();
      expect(await told(world)).toBe('');
      await world.patch(id, contentPatch('one'));
      await world.index();
      expect(await told(world)).toBe('remove');
      expect((await world.ingest.outbox(world.space, 10))[0]?.n).toBe(two?.n);
    });

    test('does not acknowledge changes that came while earlier rows were on their way', async () => {
      await using world = await openWorld(open);
      await world.add('one', { customId: 'c' });
      await world.index();
      const rows = await world.ingest.outbox(world.space, 1000);
      await world.add('two', { customId: 'c' });
      await world.index();
      await world.ingest.acknowledge(
        world.space,
        rows.map(({ seq }) => seq),
      );
      expect(await told(world)).toBe('upsert');
    });

    test('is returned in portions', async () => {
      await using world = await openWorld(open);
      await world.add(Array.from({ length: 25 }, (_, at) => `text ${at}`).join('\n\n'));
      await world.index();
      const met: number[] = [];
      for (;;) {
        const rows = await world.ingest.outbox(world.space, 10);
        if (rows.length === 0) break;
        met.push(rows.length);
        await world.ingest.acknowledge(
          world.space,
          rows.map(({ seq }) => seq),
        );
      }
      expect(met).toEqual([10, 10, 5]);
    });

    test('can receive everything again', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 7; at++) await world.add(`text ${at}`, { tags: [`t${at % 3}`] });
      await world.index();
      const all = (await world.ingest.outbox(world.space, 100)).map(({ n }) => n).sort((a, b) => a - b);
      const rows = await world.ingest.outbox(world.space, 100);
      await world.ingest.acknowledge(
        world.space,
        rows.map(({ seq }) => seq),
      );
      let after: number | null = -1;
      let slices = 0;
      while (after !== null) {
        after = await world.ingest.enqueueAll(world.space, after, 3);
        slices += 1;
      }
      expect(slices).toBe(3);
      expect((await world.ingest.outbox(world.space, 100)).map(({ n }) => n)).toEqual(all);
    });
  });

  describe('vectors', () => {
    test('are returned as they were stored: approximately, or exactly when they were paid for', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one');
      await world.index();
      const [chunk] = await chunksOf(world, id);
      const ns = [chunk?.n ?? 0, 12_345];
      const cheap = await world.ingest.vectorsOf({ id: world.space, ...SPACE }, ns);
      expect([...cheap.keys()]).toEqual([ns[0]]);
      const near = cheap.get(ns[0] ?? 0) ?? new Float32Array();
      for (const [at, x] of vectorOf('one').entries()) expect(near[at]).toBeCloseTo(x, 1);
      const exactSpace = { id: world.space, ...FLOAT_SPACE };
      await world.ingest.fillVectors(exactSpace, [{ n: ns[0] ?? 0, vector: vectorOf('other') }]);
      expect((await world.ingest.vectorsOf(exactSpace, ns)).get(ns[0] ?? 0)).toEqual(near);
    });

    test('are kept exactly when they were paid for', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one\n\ntwo', { customId: 'c' });
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      const exact = { id: world.space, ...FLOAT_SPACE };
      await world.ingest.commit([readClaim(claim, { spaces: [world.space] })], [exact]);
      const chunks = await chunksOf(world, id);
      const vectors = await world.ingest.vectorsOf(
        exact,
        chunks.map(({ n }) => n),
      );
      expect(chunks.map(({ n }) => vectors.get(n))).toEqual([vectorOf('one'), vectorOf('two')]);
      await world.patch(id, contentPatch('two'));
      const [again] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!again) throw new Error('nothing was claimed');
      await world.ingest.commit([readClaim(again, { spaces: [world.space] })], [exact]);
      expect(await world.rows('select n from exact_vectors')).toEqual([{ n: chunks[1]?.n }]);
    });

    test('replace the former ones when the neighbours changed', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      await world.index();
      await world.add('two', { customId: 'c' });
      const words = {
        title: null,
        date: null,
        terms: encodeTerms({ body: ['one'] }),
        body: 'one',
        extra: '',
      };
      const [claim] = await world.ingest.claim('boot', WIDE_SHARE);
      if (!claim) throw new Error('nothing was claimed');
      const read = readClaim(claim, { spaces: [world.space], seam: 'new ' });
      const kept = read.kept.map((chunk) => ({ ...chunk, words }));
      await world.ingest.commit([{ ...read, kept }], [{ id: world.space, ...SPACE }]);
      const [first] = await chunksOf(world, id);
      const vector = vectorOf('new one');
      const request = { space: world.space, vector, limit: 1, aside: false };
      const [best] = await world.store.search.scan(everything, {}, request);
      expect(best?.n).toBe(first?.n);
      expect(best?.cosine).toBeGreaterThan(0.99);
      expect(await world.ingest.countVectors(world.space)).toBe(2);
      expect(await found(world, 'one')).toBe(1);
    });
  });
};
