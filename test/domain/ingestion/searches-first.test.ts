// Tests of background work beside searches: its steps are done one at a time while callers search.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import { createSearchesFirst, type SearchesFirst } from '../../../server/domain/ingestion/searches-first.ts';
import { everything, submission } from '../../adapters/store/contract/world.ts';
import { openTestStore } from '../../support/store.ts';
import { turns, until } from '../../support/until.ts';
import { createTestPipeline } from './fixtures/pipeline.ts';

let now = 0;
let searchesFirst: SearchesFirst;
let begun: string[];

beforeEach(() => {
  now = 1_000_000;
  begun = [];
  searchesFirst = createSearchesFirst(() => now);
});

afterEach(() => {
  vi.useRealTimers();
});

/** A step that ends when it is told to. */
const begin = (name: string) => {
  const end = Promise.withResolvers<string>();
  const result = searchesFirst.run(() => {
    begun.push(name);
    return end.promise;
  });
  return { end, result };
};

test('without searches steps go on together', async () => {
  const first = begin('first');
  const second = begin('second');
  expect(begun).toEqual(['first', 'second']);
  second.end.resolve('two');
  expect(await second.result).toBe('two');
  first.end.resolve('one');
  expect(await first.result).toBe('one');
});

test('a step waits for the one before while callers search, and no longer a second after the last search', async () => {
  searchesFirst.searched();
  const first = begin('first');
  const second = begin('second');
  await turns(5);
  expect(begun).toEqual(['first']);
  first.end.resolve('one');
  expect(await first.result).toBe('one');
  await turns(5);
  expect(begun).toEqual(['first', 'second']);
  now += 1_000;
  begin('third');
  expect(begun).toEqual(['first', 'second', 'third']);
  second.end.resolve('two');
  expect(await second.result).toBe('two');
});

test('a step that fails tells its caller, and the next one begins', async () => {
  searchesFirst.searched();
  const first = begin('first');
  const second = begin('second');
  first.end.reject(new Error('no space left'));
  await expect(first.result).rejects.toThrow('no space left');
  second.end.resolve('two');
  expect(await second.result).toBe('two');
});

test('a step that hangs holds up the next one for half a second, and still answers its caller', async () => {
  vi.useFakeTimers();
  searchesFirst.searched();
  const first = begin('first');
  begin('second');
  await vi.advanceTimersByTimeAsync(490);
  expect(begun).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(20);
  expect(begun).toEqual(['first', 'second']);
  first.end.resolve('one');
  expect(await first.result).toBe('one');
});

test('a document is read and stored when the step before has ended', async () => {
  const { store, ingest, close } = openTestStore();
  const claim = vi.fn(ingest.claim);
  const commit = vi.fn(ingest.commit);
  const pipeline = createTestPipeline({
    store: { ...ingest, claim, commit },
    spaces: () => [],
    embedder: createBuiltinEmbedder(),
    searchesFirst,
  });
  searchesFirst.searched();
  const chroma = begin('vectors for Chroma');
  await store.documents.submit(everything, [submission('An oak.')]);
  pipeline.start();
  await until('the claim', () =>
    claim.mock.settledResults.some(({ type, value }) => type === 'fulfilled' && value.length === 1),
  );
  await turns(20);
  expect(commit).not.toHaveBeenCalled();
  chroma.end.resolve('');
  await until('an empty queue', async () => (await store.counts()).queued === 0);
  await pipeline.stop(1000);
  await close();
});
