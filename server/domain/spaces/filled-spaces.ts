// The spaces that new content is embedded into: the active one, and those that are being filled.
import type { Embedder } from '../../adapters/embed/port.ts';
import type { IngestStore } from '../../adapters/store/ports/ingestion/ingest.ts';
import type { SpaceRecord } from '../../adapters/store/ports/spaces.ts';
import type { Logger } from '../../core/log.ts';
import type { SpaceName } from '../../core/space.ts';
import type { Duties } from '../../lib/async/background/duties.ts';
import type { StoredPassages } from '../ingestion/chunking/describe-chunks.ts';
import type { FilledSpace } from '../ingestion/reconcile.ts';

export interface FillingDeps {
  store: IngestStore;
  duties: Duties;
  /** Null: nothing here can compute vectors of this space. */
  openEmbedder: (space: SpaceName) => Embedder | null;
  describe: StoredPassages;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Removes a retired space from the vector index, and waits as long as the index needs. */
  drop: (space: number) => Promise<void>;
  /** The outbox has vectors of the space. */
  filled: () => void;
  /** Another space is active now; resolves when searches use it. */
  switched: () => Promise<void>;
}

export interface FillingState {
  /** The reason why filling makes no progress; null: it does, or there is nothing to do. */
  trouble: string | null;
  /** Filling gave up; it resumes on request. */
  stopped: boolean;
}

/** The shared context of the steps of filling. */
export interface FillingContext {
  readonly deps: FillingDeps;
  readonly signal: AbortSignal;
  /** The active space first. */
  spaces: readonly FilledSpace[];
  state: FillingState;
}

const opened = ({ deps }: FillingContext, record: SpaceRecord): FilledSpace[] => {
  const embedder = deps.openEmbedder(record);
  if (!embedder) return [];
  const { id, dimensions } = record;
  return [{ id, dimensions, keepExact: embedder.keepExact, embedder, serves: record.state === 'active' }];
};

/** Reads the spaces again; the active one comes first. */
export const refreshSpaces = async (context: FillingContext): Promise<readonly SpaceRecord[]> => {
  const live = (await context.deps.store.spaces())
    .filter(({ state }) => state !== 'retired')
    .sort((a, b) => Number(b.state === 'active') - Number(a.state === 'active'));
  context.spaces = live.flatMap((record) => opened(context, record));
  return live;
};
