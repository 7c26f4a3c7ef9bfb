// A client that reconnects: when the server has gone, the next call finds the new holder of the folder or opens it.

import type { Operation } from '../../../tools/operation.ts';
import { pause } from '../../lib/async/wait.ts';
import { CommandFailure } from '../failure.ts';
import type { Client } from './client.ts';

export type ToolCaller = Pick<Client, 'call' | 'close'>;

/** The longest time in which one process hands the folder to the next. */
const RECONNECT_MS = 30_000;
const PAUSE_MS = 100;

const codesOf = (error: unknown): unknown[] =>
  error instanceof Error ? ['code' in error ? error.code : undefined, ...codesOf(error.cause)] : [];

const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * A call can be retried if it certainly did not run: the connection was refused, or the server takes no calls.
 * An interrupted call may have run, so it is retried only if it changes nothing.
 */
const canCallAgain = ({ permission }: Operation, error: unknown): boolean => {
  if (!(error instanceof CommandFailure)) return false;
  if (error.facts.status !== undefined) return error.facts.leaving === true;
  const codes = codesOf(error);
  return (
    codes.includes('ECONNREFUSED') || (permission === 'read' && LOST.some((code) => codes.includes(code)))
  );
};

export const createReconnectingClient = (
  find: () => Promise<ToolCaller>,
): ToolCaller & { opened(): Promise<void> } => {
  let current: Promise<ToolCaller> | null = null;
  const found = (): Promise<ToolCaller> => {
    current ??= find();
    return current;
  };
  /** The first call that fails clears the client; later calls share the new one. */
  const lost = (client: Promise<ToolCaller>) => {
    if (current === client) current = null;
  };
  return {
    async opened() {
      await found();
    },
    async call(operation, input) {
      const began = performance.now();
      for (;;) {
        const client = found();
        try {
          return await (await client).call(operation, input);
        } catch (error) {
          const late = performance.now() - began > RECONNECT_MS;
          if (late || !canCallAgain(operation, error)) throw error;
          lost(client);
          await pause(PAUSE_MS);
        }
      }
    },
    async close() {
      await (await current?.catch(() => null))?.close();
    },
  };
};
