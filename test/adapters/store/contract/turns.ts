// The turns of the queue: of containers, and of the keys that sent the documents.
import { describe, expect, test } from 'vitest';
import type { ClaimShare } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import { contents, fill } from './claims.ts';
import { everything, type OpenStore, openWorld, submission } from './world.ts';

export const turnsContract = (open: OpenStore): void => {
  describe('turns', () => {
    test('a large import does not delay the others', async () => {
      await using world = await openWorld(open);
      await fill(world, { big: 500, b: 2, c: 1 });
      const share: ClaimShare = { documents: 12, containers: 4 };
      const first = await world.ingest.claim('boot', share);
      expect(contents(first)).toEqual(['b0', 'b1', 'big0', 'big1', 'big2', 'big3', 'c0']);
      const second = await world.ingest.claim('boot', share);
      expect(second).toHaveLength(12);
    });

    test('every container has its turn, however many there are', async () => {
      await using world = await openWorld(open);
      const counts = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`t${at}`, 3]));
      await fill(world, counts);
      const share: ClaimShare = { documents: 16, containers: 8 };
      const turns = new Map<number, number>();
      for (let round = 0; round < 5; round++)
        for (const claim of await world.ingest.claim('boot', share))
          turns.set(claim.container, (turns.get(claim.container) ?? 0) + 1);
      expect(turns.size).toBe(40);
      let rest = 0;
      for (let round = 0; round < 20; round++) rest += (await world.ingest.claim('boot', share)).length;
      expect([...turns.values()].reduce((sum, count) => sum + count, rest)).toBe(120);
    });

    test('a key with documents under many tags does not delay another key', async () => {
      await using world = await openWorld(open);
      const sent = (content: string, tag: string, sentBy: string) =>
        submission(content, { tags: [tag], sentBy });
      const flood = Array.from({ length: 200 }, (_, at) => sent(`flood${at}`, `t${at % 40}`, 'a'));
      await world.store.documents.submit(everything, flood);
      await world.store.documents.submit(everything, [sent('b', 'of b', 'b'), sent('c', 't0', 'c')]);
      const share: ClaimShare = { documents: 16, containers: 8 };
      const first = contents(await world.ingest.claim('boot', share));
      expect(first).toEqual(expect.arrayContaining(['b', 'c']));
      let rest = first.length;
      for (let round = 0; round < 15; round++) rest += (await world.ingest.claim('boot', share)).length;
      expect(rest).toBe(202);
    });

    test('every key has its turn, however many there are', async () => {
      await using world = await openWorld(open);
      const sent = (at: number, tag: string) =>
        submission(`${at} ${tag}`, { tags: [tag], sentBy: `key ${at}` });
      const all = Array.from({ length: 40 }, (_, at) => [sent(at, 'shared'), sent(at, `of ${at}`)]).flat();
      await world.store.documents.submit(everything, all);
      const turns = new Set<string | null>();
      for (let round = 0; round < 5; round++)
        for (const { sentBy } of await world.ingest.claim('boot', { documents: 8, containers: 8 }))
          turns.add(sentBy);
      expect(turns.size).toBe(40);
    });

    test('a key takes no more places for slow reading than it may have', async () => {
      await using world = await openWorld(open);
      const heavy = (content: string, tag: string, sentBy: string) =>
        submission(content, { tags: [tag], sentBy, heavy: true });
      const flood = Array.from({ length: 40 }, (_, at) => heavy('flood', `t${at % 10}`, 'a'));
      await world.store.documents.submit(everything, flood);
      const share: ClaimShare = { documents: 64, containers: 16, heavy: 16, heavyEach: 4, heavyEachKey: 12 };
      expect(await world.ingest.claim('boot', share)).toHaveLength(12);
      const full = { ...share, heavy: 4, heavyLeftOfKey: new Map([['a', 0]]) };
      expect(await world.ingest.claim('boot', full)).toEqual([]);
      expect(await world.ingest.nextDue(true, { containers: [], keys: ['a'] })).toBeNull();
      await world.store.documents.submit(everything, [heavy('b', 't0', 'b')]);
      expect(await world.ingest.nextDue(true, { containers: [], keys: ['a'] })).toBe(world.clock.now());
      expect(contents(await world.ingest.claim('boot', full))).toEqual(['b']);
    });
  });
};
