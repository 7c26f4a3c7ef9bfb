// The active embedding space, and the change to another one.
import type { Embedder } from '../../adapters/embed/port.ts';
import type { Calibration, SpaceRecord, SpaceStore } from '../../adapters/store/ports/spaces.ts';
import { conflict, IngestError, unavailable } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { SpaceName } from '../../core/space.ts';
import { sharedRun } from '../../lib/async/shared-run.ts';
import type { FillingState } from './filled-spaces.ts';
import { type WatchedEmbedder, watchEmbedder } from './watch-embedder.ts';

export interface ActiveSpace {
  id: number;
  name: SpaceName;
  calibration: Calibration;
  embedder: Embedder;
}

export interface WantedSpace {
  embedder: string;
  model: string;
  /** Null: the model's own dimension. */
  dimensions: number | null;
}

export interface SpaceStatus {
  active: { embedder: string; model: string; dimensions: number; answering: boolean } | null;
  /** The space that was chosen; differs from `active` until a reindex has finished. */
  wanted: WantedSpace;
  /** True when `memoir reindex` would change something. */
  reindexNeeded: boolean;
  reindexing: { done: number; total: number } | null;
  /** The reason why the embedder does not answer or the reindex makes no progress. */
  trouble: string | null;
}

export interface Spaces {
  /** Null: searches use keywords only. */
  active(): ActiveSpace | null;
  status(): Promise<SpaceStatus>;
  /** Starts filling the wanted space; answers at once. */
  reindex(): Promise<SpaceStatus>;
  /** Another space is active now. */
  reload(): Promise<void>;
  open(): Promise<void>;
}

export interface SpacesDeps {
  store: SpaceStore;
  /** The name of the space that the settings or a person chose; nothing is opened. */
  wanted: () => WantedSpace;
  isWanted: (space: SpaceName) => boolean;
  /** Vectors that are renewed without a request, because they cost nothing. */
  isOfEarlierVersion: (space: SpaceName) => boolean;
  openWanted: () => Promise<Embedder>;
  openStored: (space: SpaceName) => Embedder | null;
  calibrate: (embedder: Embedder) => Promise<Calibration>;
  /** Tells the ingest thread that the spaces changed. */
  announce: () => Promise<void>;
  /** The progress of filling a new space. */
  filling: () => Promise<FillingState>;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** The space in use, and the health that its embedder's answers show. */
interface SpacesState {
  active: ActiveSpace | null;
  record: SpaceRecord | null;
  watched: WatchedEmbedder | null;
}

/** An error written for the caller; any other error is a bug. */
const reindexError = (error: unknown): unknown => {
  if (!(error instanceof IngestError)) return error;
  const sentence = `The reindex did not start, and the stored vectors go on serving: ${error.explanation} Then run memoir reindex again.`;
  return (error.retryable ? unavailable : conflict)(sentence, { cause: error });
};

/** At the first start there is no space yet, so nothing can be embedded or searched by meaning without an answer. */
const firstStartError = (error: unknown): unknown =>
  error instanceof IngestError
    ? new Error(
        `Memoir asks the embedder once at its first start, and it gave no usable answer: ${error.explanation} Then start Memoir again; nothing was stored. To start without this service, remove MEMOIR_EMBEDDING_MODEL, or set it to builtin if a person chose the model: the built-in embedder needs none, and "memoir reindex" changes to the service later.`,
        { cause: error },
      )
    : error;

const createFirst = async (deps: SpacesDeps): Promise<SpaceRecord> => {
  try {
    return await createWanted(deps, 'active');
  } catch (error) {
    throw firstStartError(error);
  }
};

const modelName = ({ embedder, model }: { embedder: string; model: string }): string =>
  `${embedder} ${model}`;

const createWanted = async (deps: SpacesDeps, state: 'active' | 'filling'): Promise<SpaceRecord> => {
  const embedder = await deps.openWanted();
  const calibration = await deps.calibrate(embedder);
  return deps.store.create({ ...embedder.space, state, calibration });
};

const calibrationOf = async (
  { calibrate, store }: SpacesDeps,
  space: SpaceRecord,
  embedder: Embedder,
): Promise<Calibration> => {
  if (space.calibration) return space.calibration;
  const calibration = await calibrate(embedder);
  await store.calibrate(space.id, calibration);
  return calibration;
};

const activateSpace = async (deps: SpacesDeps, state: SpacesState, space: SpaceRecord): Promise<void> => {
  state.record = space;
  const embedder = deps.openStored(space);
  state.watched = embedder && watchEmbedder(embedder, deps.now);
  state.active = state.watched && {
    id: space.id,
    name: { embedder: space.embedder, model: space.model, dimensions: space.dimensions },
    calibration: await calibrationOf(deps, space, state.watched.embedder),
    embedder: state.watched.embedder,
  };
  if (!state.active)
    deps.log.warn(
      { space: modelName(space) },
      'No embedder is configured for the stored embedding space: searching by keyword only.',
    );
};

const servingSpace = async ({ store }: SpacesDeps): Promise<SpaceRecord | undefined> =>
  (await store.list()).find((space) => space.state === 'active');

const spaceBeingFilled = async ({ store, isWanted }: SpacesDeps): Promise<SpaceRecord | undefined> =>
  (await store.list()).find((space) => space.state === 'filling' && isWanted(space));

const readStatus = async (deps: SpacesDeps, state: SpacesState): Promise<SpaceStatus> => {
  const [target, fill] = await Promise.all([spaceBeingFilled(deps), deps.filling()]);
  const { active, record, watched } = state;
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
    wanted: deps.wanted(),
    reindexNeeded: needed && !runs,
    reindexing: runs ? await deps.store.progress(target.id) : null,
    trouble: fill.trouble ?? silent,
  };
};

/** A space that is not wanted any more is retired for good: wanted again, it is another one, because its vectors go already. */
const abandonUnwanted = async ({ store, isWanted }: SpacesDeps): Promise<void> => {
  for (const space of await store.list())
    if (space.state === 'filling' && !isWanted(space)) await store.abandon(space.id);
};

const beginReindex = async (deps: SpacesDeps, { record }: SpacesState): Promise<void> => {
  await abandonUnwanted(deps);
  if (record === null || deps.isWanted(record) || (await spaceBeingFilled(deps)) !== undefined) return;
  try {
    const target = await createWanted(deps, 'filling');
    deps.log.info({ to: modelName(target) }, 'Reindexing: stored text is embedded into the new space.');
  } catch (error) {
    throw reindexError(error);
  }
};

/** At a start: vectors of an earlier version are renewed; any other change waits for `memoir reindex`. */
const renewOrWarn = async (deps: SpacesDeps, state: SpacesState): Promise<void> => {
  const { record } = state;
  if (record === null || deps.isWanted(record)) return;
  if (deps.isOfEarlierVersion(record)) return beginReindex(deps, state);
  deps.log.warn(
    { stored: modelName(record), wanted: modelName(deps.wanted()) },
    'The settings name another embedder than the one of the stored vectors. The stored one stays in use; run memoir reindex to change.',
  );
};

export const createSpaces = (deps: SpacesDeps): Spaces => {
  const state: SpacesState = { active: null, record: null, watched: null };
  // A second call has the same target.
  const startReindex = sharedRun(() => beginReindex(deps, state));
  const status = () => readStatus(deps, state);

  return {
    active: () => state.active,
    status,
    async reload() {
      const serving = await servingSpace(deps);
      if (serving && serving.id !== state.record?.id) await activateSpace(deps, state, serving);
    },
    async reindex() {
      await startReindex();
      await deps.announce();
      return status();
    },
    async open() {
      await activateSpace(deps, state, (await servingSpace(deps)) ?? (await createFirst(deps)));
      await abandonUnwanted(deps);
      await renewOrWarn(deps, state);
    },
  };
};
