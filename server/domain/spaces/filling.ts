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
  /** Takes a space that no longer serves out of the vector index, however long that takes to answer. */
  drop: (space: number) => Promise<void>;
  /** The outbox has vectors of the space. */
  filled: () => void;
  /** Another space serves now; resolves when searches use it. */
  switched: () => Promise<void>;
}

export interface FillingState {
  /** Why it does not get on; null: it does, or has nothing to do. */
  trouble: string | null;
  /** It gave up, and goes on when it is asked to. */
  stopped: boolean;
}

export interface Filling {
  /** The active space first. */
  spaces(): readonly FilledSpace[];
  /** Reads the spaces anew and goes on with whatever is unfinished. */
  load(): Promise<void>;
  state(): FillingState;
  stop(): Promise<void>;
}

/** How long the switch waits for the index to take the last vectors; searches compare the rest exactly. */
const INDEX_WAIT_MS = 60_000;
const POLL_MS = 100;
const SWITCH_WAIT_MS = 10_000;
const RESTING: FillingState = { trouble: null, stopped: false };

export const createFilling = (deps: FillingDeps): Filling => {
  const { store, log } = deps;
  const stopping = new AbortController();
  let spaces: FilledSpace[] = [];
  let job: Promise<void> = Promise.resolve();
  let clearing: Promise<void> = Promise.resolve();
  let state: FillingState = RESTING;

  const opened = (record: SpaceRecord): FilledSpace[] => {
    const embedder = deps.openEmbedder(record);
    return embedder
      ? [
          {
            id: record.id,
            dimensions: record.dimensions,
            keepExact: embedder.keepExact,
            embedder,
            serves: record.state === 'active',
          },
        ]
      : [];
  };

  /** Retired, or being filled although the settings changed their mind. */
  const isOver = (record: SpaceRecord): boolean =>
    record.state === 'retired' || (record.state === 'filling' && !deps.isWanted(record));

  /** The active space first. */
  const refresh = async (): Promise<readonly SpaceRecord[]> => {
    const live = (await store.spaces())
      .filter((record) => !isOver(record))
      .sort((a, b) => Number(b.state === 'active') - Number(a.state === 'active'));
    spaces = live.flatMap(opened);
    return live;
  };

  const indexed = async (space: number): Promise<void> => {
    const end = performance.now() + INDEX_WAIT_MS;
    while (!stopping.signal.aborted && performance.now() < end) {
      if ((await store.outbox(space, 1)).length === 0) return;
      await pause(POLL_MS, stopping.signal);
    }
  };

  /** The index first: while it still holds the space, no other may be given its number. */
  const retire = async (space: number): Promise<void> => {
    try {
      await deps.drop(space);
      await store.forgetSpace(space, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn({ err: error, space }, 'A former embedding space could not be erased; the next start will.');
    }
  };

  /** Beside everything else, for the index may be away for long. */
  const clearAway = async (): Promise<void> => {
    for (const record of (await store.spaces()).filter(isOver))
      if (!stopping.signal.aborted) await retire(record.id);
  };

  const fill = (space: FilledSpace) =>
    fillSpace(
      {
        store,
        log,
        signal: stopping.signal,
        describe: deps.describe,
        waits: (trouble) => {
          state = { trouble, stopped: false };
        },
      },
      space,
    );

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
    // Before the former one is erased: a search that began with it looks again at its end.
    await Promise.race([deps.switched(), pause(SWITCH_WAIT_MS, stopping.signal)]);
    await fill(space);
  };

  /** What is being filled first: the embedder of the space that serves may be the reason for leaving it. */
  const work = async (): Promise<void> => {
    for (const record of (await refresh()).toReversed()) await complete(record);
  };

  const stopped = (error: unknown): void => {
    state = { trouble: error instanceof Error ? error.message : String(error), stopped: true };
    log.error({ err: error }, 'Filling the embedding space stopped; memoir reindex starts it again.');
  };

  const clear = (): void => {
    clearing = clearing.then(clearAway).catch((error) => {
      log.warn({ err: error }, 'Former embedding spaces could not be erased; the next start will.');
    });
  };

  return {
    spaces: () => spaces,
    state: () => state,
    async load() {
      await refresh();
      state = RESTING;
      clear();
      job = job.then(work).catch(stopped).then(clear);
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      await job;
      await clearing;
    },
  };
};
