// The health of each part, for GET /health and `memoir status`.
import type { WaitingConnection } from '../adapters/store/ports/connections/connections.ts';
import type { StoreCounts } from '../adapters/store/ports/organisation.ts';
import type { VectorIndexState } from '../adapters/vectors/port.ts';
import { DatabaseBusyError, DatabaseUnavailableError } from '../core/errors.ts';
import type { Health, PartHealth } from '../core/health.ts';
import type { Company } from '../core/processes/company.ts';
import type { ProcessRole } from '../core/processes/role.ts';
import { VERSION } from '../core/version.ts';
import type { IndexerState } from '../domain/ingestion/indexing/context.ts';
import type { SpaceStatus } from '../domain/spaces/spaces.ts';
import { type StorageFault, storageFault } from '../lib/faults/storage-fault.ts';
import { plural } from '../lib/text/plural.ts';
import type { IngestState } from './ingest-thread/commands.ts';
import type { StoreWatch, WriteOutcome } from './store-watch.ts';

const chromaHealth = (chroma: VectorIndexState, indexer: IndexerState): PartHealth => {
  if (chroma.status !== 'ready')
    return {
      status: chroma.status === 'starting' ? 'starting' : 'degraded',
      detail: `${chroma.detail ?? 'Chroma does not answer'}; until it does, searches compare exactly`,
    };
  if (indexer.status === 'rebuilding' || indexer.status === 'waiting')
    return { status: 'degraded', ...(indexer.detail ? { detail: indexer.detail } : {}) };
  return { status: 'ok' };
};

const spaceName = ({ embedder, model, dimensions }: SpaceStatus['wanted']): string =>
  `${embedder} ${model}${dimensions === null ? '' : `, ${dimensions} dimensions`}`;

const reasonSuffix = (trouble: string | null): string => (trouble === null ? '' : `: ${trouble}`);

const silentEmbedder = (serving: string, trouble: string | null): string =>
  trouble === null
    ? `the stored vectors are from ${serving}, which the settings no longer configure, so searches use keywords only; run memoir reindex`
    : `${serving} does not answer, so searches use keywords only: ${trouble}`;

const embedderHealth = (space: SpaceStatus): PartHealth => {
  const { active, wanted, reindexNeeded, reindexing, trouble } = space;
  if (!active) return { status: 'down', detail: 'there is no embedding space yet' };
  const serving = spaceName(active);
  const degraded = (detail: string): PartHealth => ({ status: 'degraded', detail });
  if (reindexing) {
    const progress = `${reindexing.done} of ${reindexing.total} chunks${reasonSuffix(trouble)}`;
    return degraded(`${serving}; changing to ${spaceName(wanted)}: ${progress}`);
  }
  if (!active.answering) return degraded(silentEmbedder(serving, trouble));
  if (reindexNeeded)
    return degraded(
      `searches use ${serving}, the settings ask for ${spaceName(wanted)}; run memoir reindex to change${reasonSuffix(trouble)}`,
    );
  return trouble === null ? { status: 'ok', detail: serving } : degraded(`${serving}: ${trouble}`);
};

const FAULTS: Readonly<Record<StorageFault, (file: string) => string>> = {
  full: (file) =>
    `the disk is full, so nothing can be stored in ${file}; free some space, and the next write succeeds`,
  damaged: (file) =>
    `the database ${file} is damaged; stop the server, and put a backup of the folder in its place`,
  moved: (file) =>
    `${file} was moved, removed or replaced while this server has it open, so nothing is stored; put the file back, or stop the server and start it with the folder as it is now`,
  refused: (file) => `${file} cannot be written; give the user of the server write permission`,
};

/** Null: the database cannot be read. `busy`: other calls kept it from this one for too long. */
type FoundCounts = StoreCounts | 'busy' | null;

const storeHealth = (counts: FoundCounts, fault: StorageFault | null, file: string): PartHealth => {
  if (fault !== null) return { status: 'down', detail: FAULTS[fault](file) };
  if (counts === 'busy')
    return { status: 'degraded', detail: `${file} is busy with other calls; some get 503 and come again` };
  return counts === null
    ? { status: 'down', detail: `${file} cannot be read` }
    : { status: 'ok', detail: `${plural(counts.documents, 'document')}, ${plural(counts.chunks, 'chunk')}` };
};

const slowedSuffix = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : `; slowed, because they used much reading time: ${keys.join(', ')}`;

const UNKNOWN: PartHealth = { status: 'degraded', detail: 'not known, because the store cannot be read' };

/** Vectors of a space that nothing fills wait until its embedder is configured again. */
const outboxText = (outbox: StoreCounts['outbox'], filled: readonly number[]): string => {
  const sum = (rows: StoreCounts['outbox']) => rows.reduce((all, { vectors }) => all + vectors, 0);
  const idle = sum(outbox.filter(({ space }) => !filled.includes(space)));
  const waiting = `${plural(sum(outbox) - idle, 'vector')} waiting for Chroma`;
  return idle === 0 ? waiting : `${waiting}, ${idle} of an embedder that the settings do not name`;
};

const heldText = ({ held, heldBecause }: StoreCounts): string => {
  const documents = held === 1 ? '1 document waits' : `${held} documents wait`;
  return `${documents} for the embedder, which is at fault: ${heldBecause}`;
};

const queueHealth = (
  counts: FoundCounts,
  { filled, slowedKeys, trouble }: Pick<IngestState, 'filled' | 'slowedKeys' | 'trouble'>,
): PartHealth => {
  if (counts === null || counts === 'busy') return UNKNOWN;
  const { queued, failed, outbox, held } = counts;
  const detail = `${queued} queued or processing, ${failed} failed, ${outboxText(outbox, filled)}${slowedSuffix(slowedKeys)}`;
  const stopped = `the ingest thread ended by itself and starts again, and what is sent is stored and waits: ${trouble}`;
  const troubles = [...(held === 0 ? [] : [heldText(counts)]), ...(trouble === null ? [] : [stopped])];
  if (troubles.length === 0) return { status: 'ok', detail };
  return {
    status: 'degraded',
    detail: [detail, ...troubles].join('; '),
  };
};

const MISSING: Readonly<Record<'api' | 'worker', string>> = {
  api: 'no process answers requests; start one with --role api',
  worker: 'no process reads, embeds and indexes what is stored; start one with --role worker',
};

const processesHealth = (company: Company, role: ProcessRole): PartHealth => {
  const own = { place: `${company.place} (this one)`, role };
  const all = [own, ...company.fellows()];
  const lacks = (['api', 'worker'] as const).filter((each) =>
    all.every(({ role: its }) => its !== 'all' && its !== each),
  );
  const deaf = company.hears()
    ? []
    : ['this one hears no signals, so it looks for changes every few seconds'];
  const detail = [
    ...lacks.map((each) => MISSING[each]),
    ...deaf,
    ...all.map((each) => `${each.role}: ${each.place}`),
  ];
  return { status: lacks.length === 0 && deaf.length === 0 ? 'ok' : 'degraded', detail: detail.join('; ') };
};

/** A report names no more of them. */
const MOST_NAMED = 10;

const WAITS: Readonly<Record<WaitingConnection['state'], string>> = {
  signed_out: 'is signed out and syncs nothing; sign in again with memoir connections reauthorize',
  held: 'holds many removals back; look at its source, then run memoir connections accept',
};

const connectionsHealth = (waiting: readonly WaitingConnection[]): PartHealth =>
  waiting.length === 0
    ? { status: 'ok' }
    : {
        status: 'degraded',
        detail: waiting.map(({ id, provider, state }) => `${provider} ${id} ${WAITS[state]}`).join('; '),
      };

/** The sources of the report. */
export interface HealthParts {
  /** The processes on one database; null: this one is alone. */
  company: Company | null;
  role: ProcessRole;
  counts(): Promise<StoreCounts>;
  /** The path or the address of the database. */
  place: string;
  /** The health of a database server; null: the database is a file. */
  database: (() => Promise<PartHealth>) | null;
  watch: StoreWatch;
  /** The sentence of a bucket that does not answer; null: it answers. Missing: originals are in the data folder. */
  originals?: (() => string | null) | undefined;
  /** The outcome of the last write. */
  written(): Promise<WriteOutcome>;
  ingest(): Promise<
    Pick<IngestState, 'chroma' | 'indexer' | 'filled' | 'slowedKeys' | 'originals' | 'trouble'>
  >;
  space(): Promise<SpaceStatus>;
  mail(): Promise<PartHealth>;
  /** Connections that wait for a person. */
  waitingConnections(limit: number): Promise<WaitingConnection[]>;
  /** The state that the request side knows; null: it has not used Chroma yet. */
  chroma(): VectorIndexState | null;
  draining(): boolean;
}

const originalsHealth = (trouble: string | null): PartHealth =>
  trouble === null
    ? { status: 'ok' }
    : {
        status: 'degraded',
        detail: `uploads get 503, and documents with files wait, until the bucket answers; the last failure: ${trouble}`,
      };

/** Null: the database cannot be read. */
const readOrNull = async <T>(watch: StoreWatch, read: () => Promise<T>): Promise<T | null> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return null;
    watch.note(error);
    if (storageFault(error) === null) throw error;
    return null;
  }
};

const readCounts = ({ watch, counts }: HealthParts): Promise<FoundCounts> =>
  readOrNull(watch, () =>
    counts().catch((error) => {
      if (error instanceof DatabaseBusyError) return 'busy';
      throw error;
    }),
  );

export const createHealth = (parts: HealthParts) => async (): Promise<Health> => {
  const [counts, written, ingest, space, mail, waiting, database] = await Promise.all([
    readCounts(parts),
    parts.written(),
    parts.ingest(),
    readOrNull(parts.watch, parts.space),
    readOrNull(parts.watch, parts.mail),
    readOrNull(parts.watch, () => parts.waitingConnections(MOST_NAMED)),
    parts.database?.() ?? null,
  ]);
  return {
    ready: !parts.draining(),
    version: VERSION,
    parts: {
      store: storeHealth(counts, parts.watch.fault(written), parts.place),
      ...(database === null ? {} : { database }),
      ...(parts.company === null ? {} : { processes: processesHealth(parts.company, parts.role) }),
      ...(parts.originals === undefined
        ? {}
        : { originals: originalsHealth(parts.originals() ?? ingest.originals) }),
      queue: queueHealth(counts, ingest),
      chroma: chromaHealth(parts.chroma() ?? ingest.chroma, ingest.indexer),
      embedder: space === null ? UNKNOWN : embedderHealth(space),
      mail: mail ?? UNKNOWN,
      connections: waiting === null ? UNKNOWN : connectionsHealth(waiting),
    },
  };
};
