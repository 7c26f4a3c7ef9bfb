// The commands of the writer thread, and the settings that it receives at its start.
import type { MessagePort } from 'node:worker_threads';
import type { WritingCommands } from '../../adapters/store/writing-side/commands.ts';
import type { WriteOutcome } from '../store-watch.ts';

/** The commands that control the thread, besides the writes of requests. */
export type WriterControls = {
  /** Serves the writes of the ingest thread at this port; the port of a former ingest thread is closed. */
  attach(port: MessagePort): Promise<void>;
  /** The outcome of the last commits. */
  written(): Promise<WriteOutcome>;
  /** Ends running writes and closes the store. */
  stop(): Promise<void>;
};

export type WriterCommands = WritingCommands & WriterControls;

/**
 * Sent to the ingest thread after a write of a request: there may be work, or a caller wants a document now that waited.
 * `crowded`: several requests waited at once a moment ago.
 */
export type WriterNews = { event: 'changed'; crowded: boolean } | { event: 'retried' };

export interface WriterSettings {
  file: string;
  groupCommit: boolean;
}
