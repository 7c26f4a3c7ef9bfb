// The queue: the order of documents, the claims of workers, and the state after a crash.
import { describe, expect, test } from 'vitest';
import type { StoredFailure } from '../../../../server/adapters/store/ports/documents.ts';
import type { Claim, ClaimShare } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import { readClaim } from './reading.ts';
import {
  contentPatch,
  everything,
  type OpenStore,
  openWorld,
  submission,
  WIDE_SHARE,
  type World,
} from './world.ts';

const FAILURE: StoredFailure = { code: 'busy', message: 'It was busy.', retryable: true };

export const fill = async (world: World, counts: Record<string, number>): Promise<void> => {
  for (const [tag, count] of Object.entries(counts))
    await world.store.documents.submit(
      everything,
      Array.from({ length: count }, (_, at) => submission(`${tag}${at}`, { tags: [tag] })),
    );
};

export const contents = (claims: readonly Claim[]): string[] => claims.map((claim) => claim.content).sort();

const one = async (world: World, boot = 'boot'): Promise<Claim> => {
  const [claim] = await world.ingest.claim(boot, WIDE_SHARE);
  if (!claim) throw new Error('nothing was claimed');
  return claim;
};

/** The process dies while it has claims, and another one takes over. */
const crash = async (world: World, boot: string): Promise<number> =>
  (await world.ingest.takeOver(boot)).resumed;

export const claimsContract = (open: OpenStore): void => {
  describe('claiming', () => {
    test('a claim carries every field that reading the document needs', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', {
        metadata: { k: 1 },
        filepath: '/p',
        title: 'Title',
        customId: 'c',
      });
      await world.index();
      await world.add('two', { customId: 'c' });
      expect(await one(world)).toMatchObject({
        id,
        ...{ type: 'text', title: 'Title', content: 'one', filepath: '/p', metadata: { k: 1 } },
        ...{ revision: 2, attempts: 0, tagNumbers: [expect.any(Number)] },
        submissions: [{ mode: 'merge', content: 'two' }],
        chunks: [{ position: 0, part: 0, bodyTokens: 1, messageTokens: 1 }],
      });
    });

    test('a missing title is found in the text', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      const claim = await one(world);
      await world.ingest.commit([{ ...readClaim(claim), title: 'Drawn from the text' }], []);
      expect((await world.get(id)).title).toBe('Drawn from the text');
      await world.add('two', { customId: 'c' });
      expect((await one(world)).title).toBeNull();
    });

    test('a document is claimed by one worker at a time', async () => {
      await using world = await openWorld(open);
      await fill(world, { a: 3 });
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toHaveLength(3);
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
    });

    test('the longest waiting documents are claimed first', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 6; at++) {
        await world.add(String(at));
        world.clock.pass(1);
      }
      const share: ClaimShare = { documents: 2, containers: 1 };
      const order = [];
      for (let round = 0; round < 3; round++) order.push(contents(await world.ingest.claim('boot', share)));
      expect(order).toEqual([
        ['0', '1'],
        ['2', '3'],
        ['4', '5'],
      ]);
    });

    test('documents that wait for their time do not hide the others', async () => {
      await using world = await openWorld(open);
      await fill(world, { a: 5, b: 5, c: 5 });
      for (const claim of await world.ingest.claim('boot', WIDE_SHARE))
        await world.ingest.retryLater(claim, FAILURE, world.clock.now() + 1000);
      await fill(world, { d: 1 });
      const share: ClaimShare = { documents: 2, containers: 1 };
      expect(contents(await world.ingest.claim('boot', share))).toEqual(['d0']);
      expect(await world.ingest.claim('boot', share)).toEqual([]);
    });

    test('only a document that is held back is retried by a change', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea');
      await world.ingest.retryLater(await one(world), FAILURE, world.clock.now() + 500);
      const change = () => world.store.documents.update(everything, id, { metadata: { hot: true } });
      expect(await change()).toMatchObject({ outcome: 'updated', retried: true });
      await world.ingest.fail(await one(world), FAILURE);
      expect(await change()).toEqual({ outcome: 'updated', id, step: 'failed' });
    });

    test('retried documents wait until they are due, count their attempts and give the reason', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text');
      expect(await world.ingest.nextDue()).toBe(world.clock.now());
      await world.ingest.retryLater(await one(world), FAILURE, world.clock.now() + 500);
      expect(await world.get(id)).toMatchObject({ step: 'queued', failure: FAILURE });
      expect(await world.ingest.nextDue()).toBe(world.clock.now() + 500);
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
      world.clock.pass(500);
      const again = await one(world);
      expect(again.attempts).toBe(1);
      expect(await world.ingest.nextDue()).toBeNull();
      await world.ingest.commit([readClaim(again)], []);
      expect(await world.get(id)).toMatchObject({ step: 'done', failure: null });
    });

    test('documents are held back with the reason without counting an attempt, and are all released together', async () => {
      await using world = await openWorld(open);
      const fault: StoredFailure = { code: 'embedding_auth', message: 'No key.', retryable: true };
      const later = world.clock.now() + 3_600_000;
      await fill(world, { a: 3, b: 3 });
      const share: ClaimShare = { documents: 2, containers: 1 };
      await world.ingest.hold(await world.ingest.claim('boot', share), fault, later);
      while ((await world.ingest.holdWaiting(share, fault, later)) > 0);
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
      expect(await world.store.counts()).toMatchObject({ queued: 6, held: 6, heldBecause: 'No key.' });
      expect(await world.ingest.releaseHeld(4)).toBe(4);
      expect(await world.ingest.releaseHeld(4)).toBe(2);
      const claims = await world.ingest.claim('boot', WIDE_SHARE);
      expect(claims.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(await world.store.counts()).toMatchObject({ held: 0, heldBecause: null });
    });

    test('documents that failed by the fault of an embedder run again when it is released and at a start, refused texts after a reindex', async () => {
      await using world = await openWorld(open);
      const failWith = async (code: string) => {
        const id = await world.add(`text of ${code}`);
        await world.ingest.fail(await one(world), { code, message: 'It failed.', retryable: false });
        return id;
      };
      const steps = async (...ids: string[]) =>
        Promise.all(ids.map(async (id) => (await world.get(id)).step));
      const invalid = await failWith('embedding_invalid');
      const refused = await failWith('text_refused');
      const other = await failWith('unsupported_type');
      expect(await world.ingest.releaseHeld(10)).toBe(1);
      expect(await steps(invalid, refused, other)).toEqual(['queued', 'failed', 'failed']);
      await world.ingest.fail(await one(world), { code: 'embedding_auth', message: 'No.', retryable: false });
      await world.ingest.takeOver('next');
      expect(await steps(invalid, refused, other)).toEqual(['queued', 'failed', 'failed']);
      await world.ingest.releaseRefused();
      expect(await steps(invalid, refused, other)).toEqual(['queued', 'queued', 'failed']);
    });

    test('a start, a re-send and an update make a document due that waits after a failure', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text', { customId: 'c' });
      const wait = async () =>
        world.ingest.retryLater(await one(world), FAILURE, world.clock.now() + 3_600_000);
      await wait();
      await world.ingest.takeOver('next');
      await wait();
      await world.add('text', { customId: 'c' });
      await wait();
      await world.store.documents.update(everything, id, { metadata: { seen: true } });
      await wait();
      await world.store.documents.retry(everything, id);
      expect((await one(world)).id).toBe(id);
    });

    test('the next due time is the earliest of all containers', async () => {
      await using world = await openWorld(open);
      await fill(world, { a: 2, b: 2, c: 2 });
      const claims = await world.ingest.claim('boot', WIDE_SHARE);
      for (const [at, claim] of claims.entries())
        await world.ingest.retryLater(claim, FAILURE, world.clock.now() + 900 - at * 100);
      expect(await world.ingest.nextDue()).toBe(world.clock.now() + 400);
    });

    test('the next due time is the earliest of light and heavy documents', async () => {
      for (const [heavyWait, lightWait] of [
        [300, 700],
        [700, 300],
      ] as const) {
        await using world = await openWorld(open);
        await world.add('heavy', { heavy: true });
        await world.add('light');
        for (const claim of await world.ingest.claim('boot', WIDE_SHARE)) {
          const waitMs = claim.content === 'heavy' ? heavyWait : lightWait;
          await world.ingest.retryLater(claim, FAILURE, world.clock.now() + waitMs);
        }
        expect(await world.ingest.nextDue()).toBe(world.clock.now() + 300);
        expect(await world.ingest.nextDue(false)).toBe(world.clock.now() + lightWait);
      }
    });

    test('a released document is as it was before the claim', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text');
      const before = await world.get(id);
      await world.ingest.release([await one(world)]);
      expect(await world.get(id)).toEqual(before);
      expect((await one(world)).attempts).toBe(0);
    });

    test('a progress report is visible while the document is claimed', async () => {
      await using world = await openWorld(open);
      const id = await world.add('text');
      const claim = await one(world);
      expect(await world.get(id)).toMatchObject({ step: 'extracting', progress: null });
      await world.ingest.report([{ claim, step: 'embedding', progress: { done: 3, total: 8 } }]);
      expect(await world.get(id)).toMatchObject({ step: 'embedding', progress: { done: 3, total: 8 } });
      await world.ingest.commit([readClaim(claim)], []);
      expect(await world.get(id)).toMatchObject({ step: 'done', progress: null });
    });
  });

  describe('fences', () => {
    test('new content makes the earlier work worthless, and is read next', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      const old = await one(world);
      await world.add('two', { customId: 'c' });
      expect(await world.ingest.commit([readClaim(old)], [])).toBe(0);
      await world.ingest.fail(old, FAILURE);
      await world.ingest.retryLater(old, FAILURE, world.clock.now() + 9999);
      await world.ingest.release([old]);
      expect(await world.get(id)).toMatchObject({ step: 'queued', failure: null });
      await world.index();
      expect(await world.get(id)).toMatchObject({ content: 'one\n\ntwo', step: 'done' });
    });

    test('an update, a move and a deletion do the same', async () => {
      await using world = await openWorld(open);
      const ids = [await world.add('one'), await world.add('two'), await world.add('three')];
      const old = await world.ingest.claim('boot', WIDE_SHARE);
      await world.patch(ids[0] ?? '', contentPatch('other'));
      await world.patch(ids[1] ?? '', { tags: ['z'] });
      await world.store.documents.remove(everything, { by: 'ref', ref: ids[2] ?? '' });
      expect(
        await world.ingest.commit(
          old.map((claim) => readClaim(claim)),
          [],
        ),
      ).toBe(0);
      expect(await world.index()).toBe(2);
    });

    test('a change of metadata keeps the earlier work', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one');
      const claim = await one(world);
      await world.patch(id, { metadata: { x: 1 } });
      expect(await world.ingest.commit([readClaim(claim)], [])).toBe(1);
      expect(await world.get(id)).toMatchObject({ step: 'done', metadata: { x: 1 } });
    });

    test('one worker cannot finish the work that another has claimed', async () => {
      await using world = await openWorld(open);
      await world.add('one');
      const lost = await one(world);
      await crash(world, 'next');
      const taken = await one(world, 'next');
      expect(await world.ingest.commit([readClaim(lost)], [])).toBe(0);
      expect(await world.ingest.commit([readClaim(taken)], [])).toBe(1);
      expect(await world.ingest.commit([readClaim(taken)], [])).toBe(0);
    });

    test('the valid documents of a commit are stored, and the others are not', async () => {
      await using world = await openWorld(open);
      await fill(world, { a: 3 });
      const claims = await world.ingest.claim('boot', WIDE_SHARE);
      await world.patch(claims[1]?.id ?? '', contentPatch('changed'));
      expect(
        await world.ingest.commit(
          claims.map((claim) => readClaim(claim)),
          [],
        ),
      ).toBe(2);
    });
  });

  describe('crashes', () => {
    test('documents that an earlier start had claimed are claimed again, and those of this start are not', async () => {
      await using world = await openWorld(open);
      await fill(world, { a: 2 });
      await world.ingest.claim('boot', WIDE_SHARE);
      expect(await crash(world, 'boot')).toBe(0);
      expect(await world.ingest.claim('boot', WIDE_SHARE)).toEqual([]);
      expect(await crash(world, 'next')).toBe(2);
      expect(await world.ingest.claim('next', WIDE_SHARE)).toHaveLength(2);
    });

    test('a document is read alone after two crashes and given up after five', async () => {
      await using world = await openWorld(open);
      const poison = await world.add('poison');
      const sizes: number[] = [];
      for (let boot = 1; boot <= 5; boot++) {
        await world.add(`good ${boot}`);
        const claims = await world.ingest.claim(`boot ${boot}`, WIDE_SHARE);
        sizes.push(claims.length);
        expect(contents(claims)).toContain('poison');
        const good = claims.filter((claim) => claim.id !== poison);
        await world.ingest.commit(
          good.map((claim) => readClaim(claim)),
          [],
        );
        await crash(world, `boot ${boot + 1}`);
      }
      expect(sizes).toEqual([2, 2, 1, 1, 1]);
      expect(await world.get(poison)).toMatchObject({
        step: 'failed',
        failure: {
          code: 'crashed_repeatedly',
          retryable: true,
          message: expect.stringContaining('Send it again'),
        },
      });
      expect(await world.index()).toBe(3);
      expect(await world.list({ steps: ['done'] })).toHaveLength(5);
    });

    test('a document that was only claimed beside the cause counts from zero once it is done', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      for (let boot = 0; boot < 4; boot++) {
        await world.ingest.claim(`boot ${boot}`, WIDE_SHARE);
        await crash(world, `boot ${boot + 1}`);
      }
      expect(await world.index()).toBe(1);
      await world.add('two', { customId: 'c' });
      await world.ingest.claim('boot', WIDE_SHARE);
      await crash(world, 'last');
      expect(await world.get(id)).not.toMatchObject({ step: 'failed' });
    });

    test('sending it again gives a document that was given up another chance', async () => {
      await using world = await openWorld(open);
      const id = await world.add('one', { customId: 'c' });
      for (let boot = 0; boot < 5; boot++) {
        await world.ingest.claim(`boot ${boot}`, WIDE_SHARE);
        await crash(world, `boot ${boot + 1}`);
      }
      expect(await world.get(id)).toMatchObject({ step: 'failed' });
      expect(await world.add('one', { customId: 'c' })).toBe(id);
      await world.ingest.claim('boot 5', WIDE_SHARE);
      await crash(world, 'boot 6');
      expect(await world.get(id)).not.toMatchObject({ step: 'failed' });
      expect(await world.index()).toBe(1);
      expect(await world.get(id)).toMatchObject({ step: 'done' });
    });

    test("a deleted document that was claimed counts as nobody's crash", async () => {
      await using world = await openWorld(open);
      const id = await world.add('one');
      await world.ingest.claim('boot', WIDE_SHARE);
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      expect(await crash(world, 'next')).toBe(0);
      expect(await world.ingest.claim('next', WIDE_SHARE)).toEqual([]);
    });
  });
};
