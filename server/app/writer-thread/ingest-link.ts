// The link of the writer thread to the ingest thread: news go to it, readings of statements come from it. A new thread
// takes the place of one that ended.
import type { MessagePort } from 'node:worker_threads';
import type { StatementReading } from '../../domain/memories/rules/statement-readings.ts';
import { createGate } from '../../lib/async/gate.ts';
import { type RetryPlan, withRetries } from '../../lib/async/retry.ts';
import { type Calls, callsOver } from '../../lib/threads/rpc.ts';
import type { WriterNews } from './commands.ts';

/** The commands of the ingest thread at the port of the writer thread. */
export type ReadingCommands = {
  readStatements(statements: readonly string[]): Promise<readonly StatementReading[]>;
};

/** A statement that ends every thread which reads it fails its request. */
export const READING_RETRIES: RetryPlan = { attempts: 3, firstWaitMs: 50, longestWaitMs: 1000 };

export interface IngestLink extends ReadingCommands {
  attach(port: MessagePort): void;
  tell(news: WriterNews): void;
  close(): void;
}

export const createIngestLink = (): IngestLink => {
  const up = createGate();
  let now: { port: MessagePort; calls: Calls<ReadingCommands> } | null = null;
  const ended = (port: MessagePort): void => {
    if (now?.port !== port) return;
    now.calls.fail(new Error('The ingest thread ended.'));
    now = null;
    up.close();
  };
  return {
    attach(port) {
      const former = now;
      now = { port, calls: callsOver<ReadingCommands>(port) };
      former?.calls.fail(new Error('Another ingest thread took its place.'));
      former?.port.close();
      port.on('close', () => ended(port));
      up.open();
    },
    tell: (news) => now?.port.postMessage(news),
    readStatements: (statements) =>
      withRetries(
        async () => {
          await up.pass();
          if (now === null) throw new Error('The ingest thread ended.');
          return now.calls.call('readStatements', statements);
        },
        READING_RETRIES,
        () => ({}),
      ),
    close() {
      up.refuse('The server is stopping', true);
      now?.port.close();
    },
  };
};
