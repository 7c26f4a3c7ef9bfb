// A client that outlives the server it talks to: the next call finds who holds the folder then, or opens it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../tools/contract.ts';
import type { Client } from './client.ts';
import { CommandFailure } from './failure.ts';

export type Caller = Pick<Client, 'call' | 'close'>;

/** One process hands the folder to the next within this time. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

const codesOf = (error: unknown): unknown[] =>
  error instanceof Error ? ['code' in error ? error.code : undefined, ...codesOf(error.cause)] : [];

const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * Nothing of the call can have happened, for nobody listens there, or whoever does takes no calls now. A
 * call that was cut off may have happened, so only one that changes nothing is made again.
 */
function maybeAgain({ permission }: Operation, error: unknown): boolean {
  if (!(error instanceof CommandFailure)) return false;
  if (error.facts.status !== undefined) return error.facts.leaving === true;
  const codes = codesOf(error);
  return (
    codes.includes('ECONNREFUSED') || (permission === 'read' && LOST.some((code) => codes.includes(code)))
  );
}

export function createSteady(find: () => Promise<Caller>): Caller & { opened(): Promise<void> } {
  let current: Promise<Caller> | null = null;
  const found = (): Promise<Caller> => {
    current ??= find();
    return current;
  };
  /** Whoever finds out first looks for another; the others find it then. */
  const lost = (client: Promise<Caller>) => {
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
          const late = performance.now() - began > PATIENCE_MS;
          if (late || !maybeAgain(operation, error)) throw error;
          lost(client);
          await sleep(PAUSE_MS);
        }
      }
    },
    async close() {
      await (await current?.catch(() => null))?.close();
    },
  };
}
