// The commands of the ingest thread, and the events that it sends.
import type { Room } from '../../adapters/store/ports/ingestion/erasing.ts';
import type { VectorIndexState } from '../../adapters/vectors/port.ts';
import type { SpaceState } from '../../domain/ingestion/erasing/compaction.ts';
import type { IndexerState } from '../../domain/ingestion/indexing/context.ts';
import type { ServedAnswer } from '../../domain/memories/served.ts';
import type { FillingState } from '../../domain/spaces/filled-spaces.ts';
import type { StepSample } from '../../lib/async/work-watch.ts';
import type { ReadingCommands } from '../writer-thread/ingest-link.ts';
import type { ChromaSettings } from './settings.ts';

export interface IngestState {
  indexer: IndexerState;
  /** The state of the thread's own connection, which is used more often than that of the request side. */
  chroma: VectorIndexState;
  /** The spaces that the index holds completely, apart from the outbox. */
  whole: readonly number[];
  /** The spaces into which new content is embedded. */
  filled: number[];
  filling: FillingState;
  /** The keys whose files wait for those of others. */
  slowedKeys: string[];
  /** The sentence of a bucket that does not answer when originals are read; null: it answers, or there is none. */
  originals: string | null;
  /** The extraction processes that were started in the place of one that failed. */
  childRestarts: number;
  /** The thread ended by itself for this reason and is about to start again; null: it runs. */
  trouble: string | null;
}

/** Events of the thread. */
export type IngestNews =
  /** Searches use another space now. */
  | { event: 'spaces' }
  /** The index at this address holds these spaces completely, except for the vectors in the outbox. */
  | { event: 'index'; url: string | null; spaces: readonly number[] }
  /** An index was dropped: Chroma keeps its memory and its files until it restarts. */
  | { event: 'dropped' }
  /** For metrics. */
  | { event: 'steps'; samples: readonly StepSample[] };

/** The commands of the ingest thread. It alone reads statements, for the other threads too, because the model of English takes 0.3 s to load. */
export type IngestCommands = ReadingCommands & {
  /** Takes over the unfinished work of the last boot and starts all workers. */
  begin(chroma: ChromaSettings): Promise<{ resumed: number }>;
  /** Stops all workers. */
  stop(): Promise<void>;
  /** Notes the texts that searches returned, under their tags. */
  served(answers: readonly ServedAnswer[]): Promise<void>;
  reloadSpaces(): Promise<void>;
  /** Another language model was chosen: the next document is read with it. */
  reloadReader(): Promise<void>;
  /** The request side uses the new space. */
  switched(): Promise<void>;
  chromaAt(url: string | null): Promise<void>;
  state(): Promise<IngestState>;
  /** The space of the database on the disk; null: the workers have not started yet. */
  space(): Promise<SpaceState | null>;
  /** Asks for a compaction. Null: it follows, or is under way; else the disk has not enough room. */
  compact(): Promise<Room | null>;
};
