// Tests of reading for memories on a shared thread: in slices, in turns between tags, within a budget of processor time.

import { expect, test } from 'vitest';
import type { ReadSource } from '../../../server/adapters/language-model/ports/memory-reader.ts';
import type {
  MemoryHarvest,
  MemoryIngestStore,
  MemoryJob,
  MemoryTurns,
} from '../../../server/adapters/store/ports/memories/remembering.ts';
import { createRememberer } from '../../../server/domain/memories/remember.ts';
import { createRulesReader } from '../../../server/domain/memories/rules/reader.ts';
import { unwatched } from '../../../server/lib/async/work-watch.ts';
import { request } from '../../adapters/language-model/requests.ts';
import { until } from '../../support/until.ts';

const PASSAGE = 1_200;

/** A document of one container whose text is cut into passages. */
const jobOf = (container: number, text: string): MemoryJob => ({
  document: container,
  documentId: `document ${container}`,
  container,
  tagNumbers: [container],
  tags: [`tag ${container}`],
  title: null,
  metadata: null,
  documentDate: null,
  heardAt: 0,
  isSentText: true,
  below: [],
  lease: 'lease',
  revision: 1,
  attempts: 0,
  fresh: Array.from({ length: Math.ceil(text.length / PASSAGE) }, (_, at) => ({
    n: container * 10_000 + at,
    id: `${container}-${at}`,
    position: at,
    part: 0,
    flags: 0,
    text: text.slice(at * PASSAGE, (at + 1) * PASSAGE),
    speaker: null,
    role: null,
    date: null,
    storedAt: 0,
  })),
  around: [],
  entityContext: [],
  contextFilter: null,
  sentBy: null,
  given: null,
});

/** A store of waiting documents that notes what becomes of them, in order. */
const storeOf = (waiting: MemoryJob[]) => {
  const ended: string[] = [];
  const store = {
    async claimToRemember(_limit: number, lane?: string, turns?: MemoryTurns) {
      if (lane !== 'dynamic') return [];
      return waiting.splice(0).filter(({ container }) => !turns?.busy.includes(container));
    },
    claimToRedraw: async () => [],
    known: async () => [],
    async remember({ job }: MemoryHarvest) {
      ended.push(`${job.documentId}: read`);
    },
    async memoryFailed({ documentId }: MemoryJob, { code }: { code: string }) {
      ended.push(`${documentId}: ${code}`);
    },
    memoryLater: async () => undefined,
    spent: async () => undefined,
  } as unknown as MemoryIngestStore;
  return { store, ended };
};

const remembering = (jobs: MemoryJob[], budgetMs?: number) => {
  const { store, ended } = storeOf(jobs);
  const rules = createRulesReader();
  const rememberer = createRememberer({
    watch: unwatched,
    store,
    reader: () => ({ containersAtOnce: 8, load: async () => rules }),
    spaces: () => [],
    guidance: async () => ({ filterPrompt: null, includeItems: [], excludeItems: [] }),
    held: () => false,
    served: async () => [],
    now: Date.now,
    random: () => 0,
    committed: () => undefined,
    log: { warn: () => undefined, error: () => undefined },
    ...(budgetMs === undefined ? {} : { budgetMs }),
  });
  return { rememberer, ended };
};

const COSTLY = 'I live in Berlin and my brother has a dog. '.repeat(4_000);

test('a long document does not hold up a short one under another tag', async () => {
  const { rememberer, ended } = remembering([jobOf(1, COSTLY), jobOf(2, 'I live in Berlin.')]);
  rememberer.start();
  await until('the short document to be read', async () => ended.length > 0);
  expect(ended).toEqual(['document 2: read']);
  await rememberer.stop();
});

test('a document that costs more processor time than its budget keeps its passages, and the failure says so', async () => {
  const { rememberer, ended } = remembering([jobOf(1, COSTLY), jobOf(2, 'I live in Berlin.')], 20);
  rememberer.start();
  await until('both documents to be decided', async () => ended.length === 2);
  expect(ended.toSorted()).toEqual(['document 1: reading_too_costly', 'document 2: read']);
  await rememberer.stop();
});

test('reading looks up after every sentence', () => {
  const source: ReadSource = request({
    fresh: jobOf(1, 'I live in Berlin. I have a dog. ').fresh.map(({ text }) => ({
      text,
      role: null,
      speaker: 'Anna',
      position: 0,
      date: null,
    })),
  });
  const steps = createRulesReader().lookupFor(source);
  let looks = 0;
  while (!steps.next().done) looks += 1;
  expect(looks).toBeGreaterThanOrEqual(2);
});
