// Originals of documents: their owners, their readers, and their removal.
import { describe, expect, test } from 'vitest';
import type { Submission } from '../../../../server/adapters/store/ports/documents.ts';
import type { Claim, ClaimShare } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import type {
  DocumentToCommit,
  NewChunk,
} from '../../../../server/adapters/store/ports/ingestion/commits.ts';
import type { Reading } from '../../../../server/adapters/store/ports/ingestion/layout.ts';
import type { Scope } from '../../../../server/core/scope.ts';
import { sha256 } from '../../../../server/lib/hash.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { readClaim, SPACE } from './reading.ts';
import {
  contentPatch,
  everything,
  type OpenStore,
  only,
  openWorld,
  WIDE_SHARE,
  type World,
} from './world.ts';

const fileNamed = (name: string) => ({
  ...{ key: newId(), name, mimeType: 'text/plain', bytes: 12, sha256: sha256(name), fileType: null },
});

type Named = ReturnType<typeof fileNamed>;

const uploading = (file: Named, more: Partial<Submission> = {}): Partial<Submission> => ({
  ...{ file, hash: file.sha256, replace: true, heavy: true, type: 'file' },
  ...more,
});

const upload = async (world: World, name: string, more: Partial<Submission> = {}) => {
  const file = fileNamed(name);
  const id = await world.add('', uploading(file, more));
  return { file, id };
};

const fileOf = async (world: World, id: string, scope: Scope = everything) => {
  const { n } = await world.get(id);
  return world.store.documents.file(scope, n);
};

const claimOne = async (world: World, share: ClaimShare = WIDE_SHARE): Promise<Claim> => {
  const [claim] = await world.ingest.claim('boot', share);
  if (!claim) throw new Error('nothing was claimed');
  return claim;
};

const commit = (world: World, ...documents: DocumentToCommit[]): Promise<number> =>
  world.ingest.commit(documents, [{ id: world.space, ...SPACE }]);

/** The extracted content of a file. */
const withSpace = (world: World, claim: Claim, text: string): DocumentToCommit =>
  readClaim({ ...claim, content: text, submissions: [] }, { spaces: [world.space] });

const erasable = (world: World): Promise<string[]> => world.ingest.filesToErase(100);

const originalsContract = (open: OpenStore): void => {
  describe('the original of a document', () => {
    test('is readable with the document, and by its id', async () => {
      await using world = await openWorld(open);
      const { file, id } = await upload(world, 'plan.txt', { tags: ['a', 'b'] });
      const { sha256: _hash, fileType: _type, ...described } = file;
      expect(await world.get(id)).toMatchObject({ content: null, step: 'queued', type: 'file' });
      expect(await fileOf(world, id)).toEqual(described);
      expect(await fileOf(world, id, only('b'))).toEqual(described);
      expect(await fileOf(world, id, only('c'))).toBeNull();
      expect(await world.store.files.ofDocument(id)).toEqual(described);
      expect(await world.store.files.ofDocument(newId())).toBeNull();
      expect(await fileOf(world, await world.add('text'))).toBeNull();
      expect(await world.store.files.known([file.key, newId()])).toEqual(new Set([file.key]));
    });

    test('comes with the claim, and its kind is stored as its bytes show it', async () => {
      await using world = await openWorld(open);
      const { file, id } = await upload(world, 'plan.txt');
      const claim = await claimOne(world);
      const { key, name, mimeType, fileType } = file;
      expect(claim).toMatchObject({ content: '', file: { key, name, mimeType, fileType } });
      await commit(world, { ...withSpace(world, claim, 'Text'), mimeType: 'application/pdf', type: 'pdf' });
      expect(await fileOf(world, id)).toMatchObject({ mimeType: 'application/pdf' });
      expect(await world.get(id)).toMatchObject({ step: 'done', content: 'Text', type: 'pdf' });
    });

    test('is replaced by another original, by a text that replaces it, and by new content', async () => {
      await using world = await openWorld(open);
      const first = await upload(world, 'one', { customId: 'c' });
      await commit(world, withSpace(world, await claimOne(world), 'One'));
      const second = await upload(world, 'two', { customId: 'c' });
      expect(second.id).toBe(first.id);
      expect(await erasable(world)).toEqual([first.file.key]);
      expect(await fileOf(world, first.id)).toMatchObject({ key: second.file.key });
      expect(await world.get(first.id)).toMatchObject({ content: null, step: 'queued', chunks: 1 });
      await world.add('A text.', { customId: 'c', replace: true });
      expect((await erasable(world)).sort()).toEqual([first.file.key, second.file.key].sort());
      expect(await fileOf(world, first.id)).toBeNull();
      const third = await upload(world, 'three', { customId: 'c' });
      await world.patch(first.id, contentPatch('New content.'));
      expect(await fileOf(world, first.id)).toBeNull();
      await commit(world, { ...withSpace(world, await claimOne(world), 'New content.'), dropsFile: true });
      expect(await erasable(world)).toContain(third.file.key);
    });

    test('is not stored again when it is the same, unless it failed', async () => {
      await using world = await openWorld(open);
      const { file, id } = await upload(world, 'one', { customId: 'c' });
      const again = () => world.send('', uploading({ ...file, key: newId() }, { customId: 'c' }));
      expect(await again()).toEqual({ outcome: 'accepted', id, status: 'queued', stored: false });
      const claim = await claimOne(world);
      await commit(world, withSpace(world, claim, 'One'));
      expect(await again()).toMatchObject({ status: 'done', stored: false });
      expect(await fileOf(world, id)).toMatchObject({ key: file.key });
      await upload(world, 'two', { customId: 'c' });
      const failure = { code: 'unreadable', message: 'It is no text.', retryable: false };
      await world.ingest.fail(await claimOne(world), failure);
      const two = fileNamed('two');
      expect(await world.send('', uploading(two, { customId: 'c' }))).toMatchObject({ stored: true });
      expect(await fileOf(world, id)).toMatchObject({ key: two.key });
    });

    test('is hidden when the document is deleted, and is erased with it', async () => {
      await using world = await openWorld(open);
      const { file, id } = await upload(world, 'one');
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      expect(await world.store.files.ofDocument(id)).toBeNull();
      while (await world.ingest.purge(10));
      expect(await erasable(world)).toEqual([file.key]);
      expect(await world.store.files.known([file.key])).toEqual(new Set([file.key]));
      await world.ingest.forgetFiles([file.key]);
      expect([await erasable(world), await world.store.files.known([file.key])]).toEqual([[], new Set()]);
    });

    test('is never removed while it belongs to a document', async () => {
      await using world = await openWorld(open);
      const { file, id } = await upload(world, 'one');
      await world.ingest.forgetFiles([file.key]);
      expect(await fileOf(world, id)).toMatchObject({ key: file.key });
    });
  });
};

const turnsContract = (open: OpenStore): void => {
  describe('a document that is read outside of the queue', () => {
    const idsOf = async (world: World, heavy?: number) => {
      const share = heavy === undefined ? WIDE_SHARE : { ...WIDE_SHARE, heavy };
      return (await world.ingest.claim('boot', share)).map(({ id }) => id).sort();
    };

    test('is claimed beside the others, up to the free places', async () => {
      await using world = await openWorld(open);
      const texts = [await world.add('one'), await world.add('two')];
      const files: string[] = [];
      for (let at = 0; at < 3; at++) {
        files.push((await upload(world, `file ${at}`)).id);
        world.clock.pass(1);
      }
      expect(await idsOf(world, 0)).toEqual(texts.sort());
      expect(await idsOf(world, 2)).toEqual(files.slice(0, 2).sort());
      expect(await world.ingest.nextDue(false)).toBeNull();
      expect(await world.ingest.nextDue(true)).toEqual(expect.any(Number));
      expect(await idsOf(world)).toEqual(files.slice(2));
      expect(await world.ingest.nextDue(true)).toBeNull();
    });

    test('leaves places to other containers, however many of its container wait', async () => {
      await using world = await openWorld(open);
      for (let at = 0; at < 6; at++) await upload(world, `file ${at}`, { tags: ['eve'] });
      const limits = { ...WIDE_SHARE, heavy: 16, heavyEach: 4 };
      const claimed = await world.ingest.claim('boot', limits);
      expect(claimed).toHaveLength(4);
      const eve = claimed[0]?.container ?? 0;
      const left = (places: number) => ({ ...limits, heavyLeft: new Map([[eve, places]]) });
      expect(await world.ingest.claim('boot', left(0))).toEqual([]);
      expect(await world.ingest.nextDue(true, { containers: [eve], keys: [] })).toBeNull();
      const { id } = await upload(world, 'other', { tags: ['alice'] });
      expect(await world.ingest.nextDue(true, { containers: [eve], keys: [] })).toEqual(expect.any(Number));
      expect((await world.ingest.claim('boot', left(-1))).map((claim) => claim.id)).toEqual([id]);
      expect(await world.ingest.claim('boot', left(1))).toHaveLength(1);
      expect(await world.ingest.nextDue(true)).toEqual(expect.any(Number));
    });

    test('is read outside after a crash and in retries too', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one');
      const claim = await claimOne(world);
      await world.ingest.retryLater(claim, { code: 'busy', message: 'Busy.', retryable: true }, 0);
      expect(await idsOf(world, 0)).toEqual([]);
      await claimOne(world);
      await world.ingest.takeOver('next');
      expect(await idsOf(world, 0)).toEqual([]);
      expect(await idsOf(world, 1)).toEqual([id]);
    });

    test('is read within the queue when the remaining work needs no file', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one');
      await commit(world, withSpace(world, await claimOne(world), 'One'));
      await world.patch(id, { tags: ['b'] });
      expect(await idsOf(world, 0)).toEqual([id]);
    });
  });
};

const reading = (text: string): Reading => ({
  ...{ from: 'file', type: 'pdf', kind: 'PDF document', form: 'prose', facts: {} },
  passages: [{ length: text.length, place: { page: 1 } }],
});

const readContract = (open: OpenStore): void => {
  describe('the metadata that a file states', () => {
    test('are passed on when it is cut again, with the list of omissions', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one');
      const layout = [{ kind: 'read' as const, length: 3, reading: reading('One') }];
      const read = {
        ...withSpace(world, await claimOne(world), 'One'),
        layout,
        note: 'Two pages are empty.',
      };
      await commit(world, read);
      expect((await world.get(id)).note).toBe('Two pages are empty.');
      await world.patch(id, { tags: ['b'] });
      expect(await claimOne(world)).toMatchObject({ content: 'One', layout });
    });

    test('include its progress in its own unit', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one');
      const claim = await claimOne(world);
      const progress = { done: 3, total: 10, unit: 'pages' };
      await world.ingest.report([{ claim, step: 'extracting', progress }]);
      expect(await world.get(id)).toMatchObject({ step: 'extracting', progress });
      await world.ingest.report([{ claim, step: 'embedding', progress: { done: 1, total: 4 } }]);
      expect((await world.get(id)).progress).toMatchObject({ done: 1, total: 4 });
      await commit(world, withSpace(world, claim, 'One'));
      expect((await world.get(id)).progress).toBeNull();
    });

    test('are stored beside the metadata of its sender, which stay', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one', { metadata: { author: 'Ada', kind: 'plan' }, customId: 'c' });
      const note = async (notedMetadata: DocumentToCommit['notedMetadata']) => {
        const claim = await claimOne(world);
        await commit(world, { ...withSpace(world, claim, 'One'), ...(notedMetadata && { notedMetadata }) });
        return claim.notedMetadata;
      };
      const first = { author: 'Bob', site: 'example.org' };
      expect(await note({ former: {}, now: first })).toEqual({});
      expect((await world.get(id)).metadata).toEqual({ author: 'Ada', kind: 'plan', site: 'example.org' });
      const bySite = {
        key: 'site',
        value: 'example.org',
        filterType: 'metadata',
        numericOperator: '=',
      } as const;
      const filtered = () => world.list({ filter: { ...bySite, negate: false, ignoreCase: false } });
      expect(await filtered()).toHaveLength(1);
      await world.patch(id, { metadata: { pages: 3 }, ...contentPatch('Two') });
      expect(await note({ former: first, now: { pages: 4 } })).toEqual(first);
      expect((await world.get(id)).metadata).toEqual({ author: 'Ada', kind: 'plan', pages: 3 });
      expect(await filtered()).toHaveLength(0);
    });
  });
};

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `word${from + at}`).join('\n\n');

const slicesContract = (open: OpenStore): void => {
  describe('a long document', () => {
    /** Its paragraphs in windows of so many, each a commit of its own. */
    const slicesOf = (world: World, claim: Claim, text: string, size: number): DocumentToCommit[] => {
      const whole = withSpace(world, claim, text);
      const added = new Set(whole.added.map(({ id }) => id));
      const windows: NewChunk[][] = [];
      for (let at = 0; at < whole.added.length; at += size)
        windows.push(whole.added.slice(at, at + size) as NewChunk[]);
      return windows.map((chunks, at) => ({
        ...whole,
        added: chunks,
        kept: at === 0 ? whole.kept : [],
        removed: at === 0 ? whole.removed : [],
        slice: { last: at === windows.length - 1, added },
      }));
    };
    const state = async (world: World, id: string) => {
      const { n, step, chunks } = await world.get(id);
      return [step, chunks, (await world.store.documents.chunks(everything, n)).length];
    };

    test('is searchable part by part, and done with the last', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one');
      const slices = slicesOf(world, await claimOne(world), numbered(0, 7), 3);
      const seen = [];
      for (const slice of slices) {
        expect(await commit(world, slice)).toBe(1);
        seen.push(await state(world, id));
      }
      expect(seen).toEqual([
        ['extracting', 3, 3],
        ['extracting', 6, 6],
        ['done', 7, 7],
      ]);
      expect((await world.get(id)).content).toBe(numbered(0, 7));
      expect(await world.remembering.claimToRemember(1)).toHaveLength(1);
    });

    test('is processed again after an interruption, and its stored parts stay', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one');
      const [first, second] = slicesOf(world, await claimOne(world), numbered(0, 7), 3);
      if (!first || !second) throw new Error('there are several');
      await commit(world, first);
      const before = await world.rows('select n, id from chunks order by n');
      await world.ingest.takeOver('next');
      expect(await commit(world, second)).toBe(0);
      const [again] = await world.ingest.claim('next', WIDE_SHARE);
      if (!again) throw new Error('nothing was claimed');
      expect(again.chunks).toHaveLength(3);
      for (const slice of slicesOf(world, again, numbered(0, 7), 3)) await commit(world, slice);
      expect(await state(world, id)).toEqual(['done', 7, 7]);
      expect((await world.rows('select n, id from chunks order by n')).slice(0, 3)).toEqual(before);
      expect(await world.rows('select chunks from containers')).toEqual([{ chunks: 7 }]);
    });

    test('leaves nothing of the former content when it is replaced in between', async () => {
      await using world = await openWorld(open);
      const { id } = await upload(world, 'one', { customId: 'c' });
      const [first, second] = slicesOf(world, await claimOne(world), numbered(0, 7), 3);
      if (!first || !second) throw new Error('there are several');
      await commit(world, first);
      await upload(world, 'two', { customId: 'c' });
      expect(await commit(world, second)).toBe(0);
      for (const slice of slicesOf(world, await claimOne(world), numbered(20, 24), 2))
        await commit(world, slice);
      expect(await state(world, id)).toEqual(['done', 4, 4]);
      expect(await world.rows('select chunks from containers')).toEqual([{ chunks: 4 }]);
      expect(await world.ingest.countVectors(world.space)).toBe(4);
    });
  });
};

export const filesContract = (open: OpenStore): void => {
  originalsContract(open);
  turnsContract(open);
  readContract(open);
  slicesContract(open);
};
