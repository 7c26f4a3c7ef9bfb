// Drains the outbox to the vector index: in batches, in order, acknowledged only after the index has it. And watches
// that the index holds what SQL says: searches may rely on it only as long as it does.
import type { FillSpace, IngestStore, OutboxRow } from '../../adapters/store/ingest-port.ts';
import type { VectorIndexMaintenance } from '../../adapters/vectors/port.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, pause } from '../../lib/wake.ts';
import { createVerdicts } from './verdicts.ts';

export type OutboxStore = Pick<
  IngestStore,
  'outbox' | 'acknowledge' | 'enqueueAll' | 'countVectors' | 'countOutbox' | 'vectorsOf'
>;

export interface IndexerDeps {
  store: OutboxStore;
  index: VectorIndexMaintenance;
  spaces: () => readonly FillSpace[];
  /** Told of the spaces that the index holds whole, but for what the outbox still names. */
  whole: (spaces: readonly number[]) => void;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
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
  /** Drops a space that is filled no more, as soon as the index answers and nothing is on its way to it. */
  drop(space: number): Promise<void>;
  state(): IndexerState;
  stop(): Promise<void>;
}

const BATCH = 300;
/**
 * In small batches a vector costs the index up to half as much again, and no search waits for it: they may gather, but
 * only while more of them come.
 */
const LOOKS = 2;
const MORE_WITHIN_MS = 50;
/** After so many the index is looked at again, and the other spaces have their turn. */
const BATCHES_AT_ONCE = 10;
const ENQUEUED_AT_ONCE = 5000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 15_000;
const IDLE_MS = 30_000;
const DOUBT =
  'The vector index was filled again and still differs from SQL; searches compare exactly. It is filled once more in an hour';
/** An index only marks what is removed, and every vector that comes pays for the marks: three times as much, measured. */
const WORN_AFTER = 5000;
const WORN_TIMES = 2;

/** The last word about a chunk counts. */
const coalesce = (rows: readonly OutboxRow[]): { upserts: number[]; removes: number[] } => {
  const last = new Map(rows.map((row) => [row.n, row.op]));
  const named = (op: OutboxRow['op']) => [...last].filter(([, said]) => said === op).map(([n]) => n);
  return { upserts: named('upsert'), removes: named('remove') };
};

export const createIndexer = (deps: IndexerDeps): Indexer => {
  const { store, index, log } = deps;
  const wake = createWake();
  const verdicts = createVerdicts({ now: deps.now, whole: deps.whole });
  let state: IndexerState = { status: 'waiting' };
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  /** Spaces that are being filled anew, with the reason. */
  const rebuilding = new Map<number, string>();
  /** Spaces that differ from SQL although they were filled anew. */
  const doubtful = new Set<number>();
  /** How many were removed from a space since it was last filled from nothing, as far as this process knows. */
  const removed = new Map<number, number>();
  const dropping = new Map<number, PromiseWithResolvers<void>>();

  const show = (busy: boolean): void => {
    const [detail] = rebuilding.values();
    if (detail !== undefined) state = { status: 'rebuilding', detail };
    else if (doubtful.size > 0) state = { status: 'waiting', detail: DOUBT };
    else state = { status: busy ? 'draining' : 'current' };
  };

  const send = async (space: FillSpace, rows: readonly OutboxRow[]): Promise<void> => {
    const { upserts, removes } = coalesce(rows);
    const vectors = await store.vectorsOf(space, upserts);
    const gone = [...removes, ...upserts.filter((n) => !vectors.has(n))];
    if (gone.length > 0) {
      await index.remove(space.id, gone);
      removed.set(space.id, (removed.get(space.id) ?? 0) + gone.length);
    }
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

  const gathered = async (space: FillSpace): Promise<OutboxRow[]> => {
    let rows = await store.outbox(space.id, BATCH);
    let before = 0;
    for (let looks = 0; looks < LOOKS && rows.length > before && rows.length < BATCH; looks++) {
      before = rows.length;
      await pause(MORE_WITHIN_MS, stopping.signal);
      rows = await store.outbox(space.id, BATCH);
    }
    return rows;
  };

  /** True: there is more. */
  const drain = async (space: FillSpace): Promise<boolean> => {
    for (let batch = 0; batch < BATCHES_AT_ONCE && !stopping.signal.aborted; batch++) {
      const rows = await gathered(space);
      if (rows.length === 0) {
        // What was filled anew is looked at once more.
        if (rebuilding.delete(space.id)) verdicts.forget(space.id);
        return false;
      }
      show(true);
      await send(space, rows);
    }
    return true;
  };

  const rebuild = async (space: FillSpace, why: string): Promise<void> => {
    log.warn({ space: space.id, why }, 'The vector index is filled again from SQL.');
    rebuilding.set(space.id, `filling the vector index again: ${why}`);
    show(true);
    await index.drop(space.id);
    removed.delete(space.id);
    let after: number | null = -1;
    while (after !== null && !stopping.signal.aborted)
      after = await store.enqueueAll(space.id, after, ENQUEUED_AT_ONCE);
  };

  /** What the index lacks or holds too much has to be on its way; else something was lost, and it is filled anew. */
  const compare = async (space: FillSpace): Promise<void> => {
    const judge = verdicts.look(space.id);
    const held = (await index.count(space.id)) ?? 0;
    const vectors = await store.countVectors(space.id);
    const pending = await store.countOutbox(space.id);
    const verdict = judge({ held, vectors, pending });
    if (verdict === 'lost') await rebuild(space, `it held ${held} of ${vectors} vectors`);
    if (verdict === 'whole') doubtful.delete(space.id);
    if (verdict !== 'hopeless') return;
    doubtful.add(space.id);
    log.warn({ space: space.id, held, expected: vectors }, DOUBT);
  };

  const isDue = ({ id }: FillSpace): boolean => verdicts.isDue(id);

  const isWorn = async (space: FillSpace): Promise<boolean> => {
    const marks = removed.get(space.id) ?? 0;
    return marks >= WORN_AFTER && marks >= WORN_TIMES * (await store.countVectors(space.id));
  };

  /** Between batches, for an upsert that is under way would make the space anew. */
  const dropFormer = async (): Promise<void> => {
    for (const [space, asked] of dropping) {
      await index.drop(space);
      rebuilding.delete(space);
      removed.delete(space);
      doubtful.delete(space);
      dropping.delete(space);
      asked.resolve();
    }
  };

  /** True: there is more. */
  const round = async (): Promise<boolean> => {
    await index.ready(stopping.signal);
    await dropFormer();
    let more = false;
    for (const space of deps.spaces()) {
      if (isDue(space)) await compare(space);
      if (await drain(space)) more = true;
      else if (await isWorn(space)) {
        await rebuild(space, 'most of it had been deleted');
        more = true;
      } else if (isDue(space)) await compare(space);
    }
    show(more);
    return more;
  };

  const failed = (error: unknown, retryMs: number): void => {
    verdicts.forgetAll();
    state = { status: 'waiting', detail: error instanceof Error ? error.message : String(error) };
    log.warn({ err: error, retryMs }, 'The vector index does not take vectors; trying again.');
  };

  const loop = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS;
    while (!stopping.signal.aborted) {
      try {
        if (!(await round())) await wake.sleep(IDLE_MS);
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (stopping.signal.aborted) return;
        failed(error, retryMs);
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
      verdicts.forgetAll();
      wake.call();
    },
    drop(space) {
      if (stopping.signal.aborted) return Promise.reject(stopping.signal.reason);
      const asked = dropping.get(space) ?? Promise.withResolvers<void>();
      dropping.set(space, asked);
      wake.call();
      return asked.promise;
    },
    state: () => state,
    async stop() {
      const reason = new Error('The server is stopping');
      stopping.abort(reason);
      wake.call();
      await running;
      for (const asked of dropping.values()) asked.reject(reason);
    },
  };
};
