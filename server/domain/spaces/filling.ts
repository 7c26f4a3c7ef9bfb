// Which spaces new content is embedded into, and the job that fills a new one and then lets it serve.
import type { Embedder, SpaceName } from '../../adapters/embed/port.ts';
import type { IngestStore } from '../../adapters/store/ingest-port.ts';
import type { SpaceRecord } from '../../adapters/store/port.ts';
import type { Logger } from '../../lib/logger.ts';
import { pause } from '../../lib/wake.ts';
import type { StoredPassages } from '../pipeline/describe.ts';
import type { FilledSpace } from '../pipeline/reconcile.ts';
import { fillSpace } from './backfill.ts';

export interface FillingDeps {
  store: IngestStore;
  /** Null: nothing here can compute vectors of this space. */
  openEmbedder: (space: SpaceName) => Embedder | null;
  isWanted: (space: SpaceName) => boolean;
  describe: StoredPassages;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The vector index of a space that no longer serves. */
  drop: (space: number) => Promise<void>;
  /** The outbox has vectors of the space. */
  filled: () => void;
  /** Another space serves now. */
  switched: () => void;
}

export interface Filling {
  /** The active space first. */
  spaces(): readonly FilledSpace[];
  /** Reads the spaces anew and goes on with whatever is unfinished. */
  load(): Promise<void>;
  stop(): Promise<void>;
}

/** How long the switch waits for the index to take the last vectors; searches compare the rest exactly. */
const INDEX_WAIT_MS = 60_000;
const POLL_MS = 100;

export const createFilling = (deps: FillingDeps): Filling => {
  const { store, log } = deps;
  const stopping = new AbortController();
  let spaces: FilledSpace[] = [];
  let job: Promise<void> = Promise.resolve();

  const opened = (record: SpaceRecord): FilledSpace[] => {
    const embedder = deps.openEmbedder(record);
    return embedder
      ? [{ id: record.id, dimensions: record.dimensions, keepExact: embedder.keepExact, embedder }]
      : [];
  };

  /** Retired, or being filled although the settings changed their mind. */
  const isOver = (record: SpaceRecord): boolean =>
    record.state === 'retired' || (record.state === 'filling' && !deps.isWanted(record));

  const refresh = async (): Promise<{ live: SpaceRecord[]; over: SpaceRecord[] }> => {
    const records = await store.spaces();
    const live = records
      .filter((record) => !isOver(record))
      .sort((a, b) => Number(b.state === 'active') - Number(a.state === 'active'));
    spaces = live.flatMap(opened);
    return { live, over: records.filter(isOver) };
  };

  const indexed = async (space: number): Promise<void> => {
    const end = performance.now() + INDEX_WAIT_MS;
    while (!stopping.signal.aborted && performance.now() < end) {
      if ((await store.outbox(space, 1)).length === 0) return;
      await pause(POLL_MS, stopping.signal);
    }
  };

  const retire = async (space: number): Promise<void> => {
    await store.forgetSpace(space);
    try {
      await deps.drop(space);
    } catch (error) {
      log.warn(
        { err: error, space },
        'The index of the former space could not be dropped; it is only in the way.',
      );
    }
  };

  const fill = (space: FilledSpace) =>
    fillSpace({ store, log, signal: stopping.signal, describe: deps.describe }, space);

  /** What the pipeline planned before it knew of the space is filled after the switch. */
  const complete = async (record: SpaceRecord): Promise<void> => {
    const space = spaces.find((each) => each.id === record.id);
    if (!space) return;
    await fill(space);
    if (record.state !== 'filling' || stopping.signal.aborted) return;
    deps.filled();
    await indexed(space.id);
    if (stopping.signal.aborted) return;
    const { retired } = await store.switchTo(space.id);
    log.info({ space: space.id, retired }, 'Searches use the new embedding space.');
    await refresh();
    deps.switched();
    await fill(space);
    if (retired !== null) await retire(retired);
  };

  const work = async (): Promise<void> => {
    const { live, over } = await refresh();
    for (const record of over) await retire(record.id);
    for (const record of live) await complete(record);
  };

  return {
    spaces: () => spaces,
    async load() {
      await refresh();
      job = job.then(work).catch((error) => {
        log.error({ err: error }, 'Filling the embedding space stopped; memoir reindex starts it again.');
      });
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      await job;
    },
  };
};
