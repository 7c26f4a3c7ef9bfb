// Drains the outbox to the vector index: in batches, in order, acknowledged only after the index has it.
import type { FillSpace, IngestStore, OutboxRow } from '../../adapters/store/ingest-port.ts';
import type { VectorIndexMaintenance } from '../../adapters/vectors/port.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, pause } from '../../lib/wake.ts';

export interface IndexerDeps {
  store: IngestStore;
  index: VectorIndexMaintenance;
  spaces: () => readonly FillSpace[];
  log: Pick<Logger, 'warn'>;
}

export interface IndexerState {
  status: 'current' | 'draining' | 'rebuilding' | 'waiting';
  detail?: string;
}

export interface Indexer {
  start(): void;
  wake(): void;
  /** The index was started anew, perhaps over an empty folder: what it holds is compared again. */
  restarted(): void;
  state(): IndexerState;
  stop(): Promise<void>;
}

const BATCH = 400;
const ENQUEUED_AT_ONCE = 5000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 15_000;
const IDLE_MS = 30_000;

/** The last word about a chunk counts. */
const coalesce = (rows: readonly OutboxRow[]): { upserts: number[]; removes: number[] } => {
  const last = new Map(rows.map((row) => [row.n, row.op]));
  const named = (op: OutboxRow['op']) => [...last].filter(([, said]) => said === op).map(([n]) => n);
  return { upserts: named('upsert'), removes: named('remove') };
};

export const createIndexer = (deps: IndexerDeps): Indexer => {
  const { store, index } = deps;
  const wake = createWake();
  let state: IndexerState = { status: 'waiting' };
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  /** Spaces whose count was compared since the index last failed. */
  const compared = new Set<number>();

  const send = async (space: FillSpace, rows: readonly OutboxRow[]): Promise<void> => {
    const { upserts, removes } = coalesce(rows);
    const vectors = await store.vectorsOf(space, upserts);
    const gone = [...removes, ...upserts.filter((n) => !vectors.has(n))];
    if (gone.length > 0) await index.remove(space.id, gone);
    if (vectors.size > 0)
      await index.upsert(
        space.id,
        space.dimensions,
        [...vectors].map(([n, vector]) => ({ n, container: Math.floor(n / 2 ** 28), vector })),
      );
    await store.acknowledge(
      space.id,
      rows.map((row) => row.seq),
    );
  };

  const drain = async (space: FillSpace): Promise<void> => {
    while (!stopping.signal.aborted) {
      const rows = await store.outbox(space.id, BATCH);
      if (rows.length === 0) return;
      if (state.status !== 'rebuilding') state = { status: 'draining' };
      await send(space, rows);
    }
  };

  const enqueueEverything = async (space: number): Promise<void> => {
    let after: number | null = -1;
    while (after !== null && !stopping.signal.aborted)
      after = await store.enqueueAll(space, after, ENQUEUED_AT_ONCE);
  };

  /** Once after each start of the index: it must hold as many vectors as SQL, else it is filled anew from SQL. */
  const compare = async (space: FillSpace): Promise<void> => {
    const held = (await index.count(space.id)) ?? 0;
    const expected = await store.countVectors(space.id);
    const moving = await store.outbox(space.id, 1);
    if (held === expected || moving.length > 0) {
      if (moving.length === 0) compared.add(space.id);
      return;
    }
    deps.log.warn({ space: space.id, held, expected }, 'The vector index is filled again from SQL.');
    state = {
      status: 'rebuilding',
      detail: `filling the vector index again: it held ${held} of ${expected} vectors`,
    };
    await index.drop(space.id);
    await enqueueEverything(space.id);
    await drain(space);
    compared.add(space.id);
  };

  const round = async (): Promise<void> => {
    await index.ready(stopping.signal);
    for (const space of deps.spaces()) {
      await drain(space);
      if (!compared.has(space.id)) await compare(space);
    }
    state = { status: 'current' };
  };

  const loop = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS;
    while (!stopping.signal.aborted) {
      try {
        await round();
        retryMs = FIRST_RETRY_MS;
        await wake.sleep(IDLE_MS);
      } catch (error) {
        if (stopping.signal.aborted) return;
        compared.clear();
        state = { status: 'waiting', detail: error instanceof Error ? error.message : String(error) };
        deps.log.warn({ err: error, retryMs }, 'The vector index does not take vectors; trying again.');
        await pause(retryMs, stopping.signal);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
  };

  return {
    start() {
      running ??= loop();
    },
    wake: wake.call,
    restarted() {
      compared.clear();
      wake.call();
    },
    state: () => state,
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      wake.call();
      await running;
    },
  };
};
