// Memories for the store under test: stated directly, or drawn from documents, with one memory for each passage.

import type {
  MemoryDetail,
  MemoryList,
  MemoryRecord,
  PreparedMemory,
  Revised,
  Revision,
} from '../../../../server/adapters/store/ports/memories/memories.ts';
import type { PreparedRelation } from '../../../../server/adapters/store/ports/memories/remembering.ts';
import type { FillSpace } from '../../../../server/adapters/store/ports/spaces.ts';
import type { Scope } from '../../../../server/core/scope.ts';
import { sha256 } from '../../../../server/lib/hash.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { encodeTerms } from '../../../../server/lib/text/terms/terms.ts';
import { SPACE, vectorOf } from './reading.ts';
import { everything, type World } from './world.ts';

const spaceOf = (world: World): FillSpace => ({ id: world.space, ...SPACE });

export const prepared = (
  world: World,
  memory: string,
  more: Partial<PreparedMemory> = {},
): PreparedMemory => {
  const words = analyse(memory);
  return {
    memory,
    isStatic: false,
    isInference: false,
    slot: null,
    about: null,
    forgetAfter: null,
    forgetReason: null,
    metadata: null,
    documentDate: null,
    eventDates: [],
    body: words.join(' '),
    bodyTokens: words.length,
    terms: encodeTerms({ body: words }),
    inputHash: sha256(memory).slice(0, 32),
    vectors: new Map([[world.space, vectorOf(memory)]]),
    ...more,
  };
};

export const present = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('There is nothing.');
  return value;
};

/** Several statements at once, under one light document. */
export const tellAll = (
  world: World,
  memories: readonly PreparedMemory[],
  { tags = ['a'], scope = everything }: { tags?: readonly string[]; scope?: Scope } = {},
) => world.store.memories.create(scope, { tags, documentId: newId(), memories }, [spaceOf(world)]);

export const tell = async (
  world: World,
  memory: string,
  more: Partial<PreparedMemory> & { tags?: readonly string[] } = {},
): Promise<MemoryRecord> => {
  const { tags = ['a'], ...rest } = more;
  const { memories } = await tellAll(world, [prepared(world, memory, rest)], { tags });
  return present(memories[0]);
};

export const revise = (
  world: World,
  id: string,
  memory: string,
  more: Omit<Revision, 'prepared'> = {},
  scope = everything,
): Promise<Revised> =>
  world.store.memories.revise(scope, id, { prepared: prepared(world, memory), ...more }, [spaceOf(world)]);

export const revised = async (...asked: Parameters<typeof revise>): Promise<MemoryRecord> => {
  const answer = await revise(...asked);
  if (answer.outcome !== 'revised') throw new Error(`The store answered ${answer.outcome}`);
  return answer.memory;
};

const PAGE = { forgotten: true, sort: 'createdAt', order: 'asc', limit: 100, offset: 0 } as const;

export const listed = async (
  world: World,
  query: Partial<MemoryList> = {},
  scope = everything,
): Promise<MemoryDetail[]> => (await world.store.memories.list(scope, { ...PAGE, ...query })).memories;

/** The texts of what is live, newest first. */
export const live = async (world: World, scope = everything): Promise<string[]> =>
  (await world.store.memories.live(scope, { limit: 100 })).map(({ memory }) => memory);

type RelationsOf = (statement: string) => PreparedRelation[];

/** Indexes what waits and reads it for memories: each new passage is one. */
export const readForMemories = async (
  world: World,
  relations: RelationsOf = () => [],
  more: (statement: string) => Partial<PreparedMemory> = () => ({}),
): Promise<void> => {
  await world.index();
  for (;;) {
    const jobs = await world.remembering.claimToRemember(10);
    if (jobs.length === 0) return;
    for (const job of jobs)
      await world.remembering.remember(
        {
          job,
          passages: job.fresh,
          prepared: job.fresh.map(({ text }) => prepared(world, text, more(text))),
          chunks: job.fresh.map(({ id }) => [id]),
          relationsOf: async () => job.fresh.map(({ text }) => relations(text)),
          wanted: { slots: [], abouts: [], ids: [] },
        },
        [spaceOf(world)],
      );
  }
};

/** Erases what deleted documents left. */
export const purgeAll = async (world: World): Promise<void> => {
  while (await world.ingest.purge(100));
};
