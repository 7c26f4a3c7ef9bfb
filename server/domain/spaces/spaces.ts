// The embedding space that searches use, and the change from one to another.
import type { Embedder, SpaceName } from '../../adapters/embed/port.ts';
import type { Calibration, SpaceRecord, SpaceStore } from '../../adapters/store/port.ts';
import { conflict, IngestError, unavailable } from '../../errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { FillingState } from './filling.ts';
import { type Watched, watch } from './watched.ts';

export interface ActiveSpace {
  id: number;
  name: SpaceName;
  calibration: Calibration;
  embedder: Embedder;
}

export interface WantedSpace {
  embedder: string;
  model: string;
  /** Null: the model's own. */
  dimensions: number | null;
}

export interface SpaceStatus {
  active: { embedder: string; model: string; dimensions: number; answering: boolean } | null;
  /** What the settings ask for; differs from `active` until a reindex has finished. */
  wanted: WantedSpace;
  /** True when `memoir reindex` would change something. */
  reindexNeeded: boolean;
  reindexing: { done: number; total: number } | null;
  /** Why the embedder does not answer, or the reindex does not get on. */
  trouble: string | null;
}

export interface Spaces {
  /** Null: searches go by keyword alone. */
  active(): ActiveSpace | null;
  status(): Promise<SpaceStatus>;
  /** Starts filling the wanted space; answers at once. */
  reindex(): Promise<SpaceStatus>;
  /** Another space serves now. */
  reload(): Promise<void>;
  open(): Promise<void>;
}

export interface SpacesDeps {
  store: SpaceStore;
  /** What the settings ask for, by name, without opening it. */
  wanted: WantedSpace;
  isWanted: (space: SpaceName) => boolean;
  openWanted: () => Promise<Embedder>;
  openStored: (space: SpaceName) => Embedder | null;
  calibrate: (embedder: Embedder) => Promise<Calibration>;
  /** Tells the ingest thread that the spaces changed. */
  announce: () => Promise<void>;
  /** How the filling of a new space is getting on. */
  filling: () => Promise<FillingState>;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Whoever asked for it is told what to do; what else may go wrong is a bug. */
const notStarted = (error: unknown): unknown => {
  if (!(error instanceof IngestError)) return error;
  const sentence = `The reindex did not start, and the stored vectors go on serving: ${error.message}`;
  return (error.retryable ? unavailable : conflict)(sentence, { cause: error });
};

const label = ({ embedder, model }: { embedder: string; model: string }): string => `${embedder} ${model}`;

export const createSpaces = (deps: SpacesDeps): Spaces => {
  const { store, log } = deps;
  let active: ActiveSpace | null = null;
  let record: SpaceRecord | null = null;
  let watched: Watched | null = null;
  let starting: Promise<void> | null = null;

  const create = async (state: 'active' | 'filling'): Promise<SpaceRecord> => {
    const embedder = await deps.openWanted();
    const calibration = await deps.calibrate(embedder);
    return store.create({ ...embedder.space, state, calibration });
  };

  const calibrated = async (space: SpaceRecord, embedder: Embedder): Promise<Calibration> => {
    if (space.calibration) return space.calibration;
    const calibration = await deps.calibrate(embedder);
    await store.calibrate(space.id, calibration);
    return calibration;
  };

  const activate = async (space: SpaceRecord): Promise<void> => {
    record = space;
    const embedder = deps.openStored(space);
    watched = embedder && watch(embedder, deps.now);
    active = watched && {
      id: space.id,
      name: { embedder: space.embedder, model: space.model, dimensions: space.dimensions },
      calibration: await calibrated(space, watched.embedder),
      embedder: watched.embedder,
    };
    if (!active)
      log.warn(
        { space: label(space) },
        'Nothing here computes vectors of the stored embedding space: searching by keyword only.',
      );
  };

  const reload = async (): Promise<void> => {
    const serving = (await store.list()).find((space) => space.state === 'active');
    if (serving) await activate(serving);
  };

  const filling = async (): Promise<SpaceRecord | undefined> =>
    (await store.list()).find((space) => space.state === 'filling' && deps.isWanted(space));

  const status = async (): Promise<SpaceStatus> => {
    const [target, fill] = await Promise.all([filling(), deps.filling()]);
    const needed = record !== null && !deps.isWanted(record);
    const runs = target !== undefined && !fill.stopped;
    const silent = watched?.trouble() ?? null;
    return {
      active: record && {
        embedder: record.embedder,
        model: record.model,
        dimensions: record.dimensions,
        answering: active !== null && silent === null,
      },
      wanted: deps.wanted,
      reindexNeeded: needed && !runs,
      reindexing: runs ? await store.progress(target.id) : null,
      trouble: fill.trouble ?? silent,
    };
  };

  const begin = async (): Promise<void> => {
    if (record === null || deps.isWanted(record) || (await filling()) !== undefined) return;
    try {
      const target = await create('filling');
      log.info({ to: label(target) }, 'Reindexing: stored text is embedded into the new space.');
    } catch (error) {
      throw notStarted(error);
    }
  };

  return {
    active: () => active,
    status,
    reload,
    async reindex() {
      // Whoever asks meanwhile asks for the same.
      starting ??= begin().finally(() => {
        starting = null;
      });
      await starting;
      await deps.announce();
      return status();
    },
    async open() {
      const serving = (await store.list()).find((space) => space.state === 'active');
      await activate(serving ?? (await create('active')));
      if (record && !deps.isWanted(record))
        log.warn(
          { stored: label(record), wanted: label(deps.wanted) },
          'The settings ask for another embedder than the stored vectors have. The stored one goes on serving; run memoir reindex to change.',
        );
    },
  };
};
