// Signals by NOTIFY, on a connection of their own: in a writing transaction they would make commits wait for each other.
import pg from 'pg';
import { noSignals, type Signal, type Signals } from '../../../../core/processes/signals.ts';
import { growingWait } from '../../../../lib/async/retry.ts';
import { pause } from '../../../../lib/async/wait.ts';
import { withoutNul } from '../connection.ts';

const CHANNEL = 'memoir';
/** Signals of one kind without a detail are told at most so often. */
const EVERY_MS = 50;
/** A connection that hears nothing looks like one that is cut off, so it is asked. */
const LOOK_MS = 5_000;
const ANSWER_MS = 3_000;
const WAITS = { firstWaitMs: 250, longestWaitMs: 5_000 };

export interface SignalOptions {
  /** Not through a pooler, which would give the listener's connection to others; null: there is only a pooler. */
  readonly url: string | null;
  /** The name of this process, which does not hear itself. */
  readonly process: string;
  readonly failed: (error: unknown) => void;
}

export interface OpenedSignals extends Signals {
  /** True: it hears the others. */
  hears(): boolean;
  close(): Promise<void>;
}

interface Heard {
  readonly from: string;
  readonly signal: Signal;
  readonly detail: string;
}

const parse = (payload: string): Heard => {
  const [from = '', signal = '', ...detail] = payload.split(' ');
  return { from, signal: signal as Signal, detail: detail.join(' ') };
};

/** Resolves when the connection has ended. */
const listen = async (
  url: string,
  connected: (client: pg.Client) => void,
  heard: (payload: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: LOOK_MS,
    query_timeout: ANSWER_MS,
  });
  const ended = Promise.withResolvers<void>();
  client.on('error', ended.reject);
  client.on('end', ended.resolve);
  client.on('notification', ({ payload = '' }) => heard(payload));
  const look = setInterval(() => client.query('select 1').catch(ended.reject), LOOK_MS);
  const stop = (): void => ended.resolve();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    connected(client);
    await ended.promise;
  } finally {
    clearInterval(look);
    signal.removeEventListener('abort', stop);
    // A connection that is cut off is not waited for.
    await Promise.race([client.end().catch(() => undefined), pause(ANSWER_MS)]);
  }
};

/** Many of one moment are one. */
const atMostEvery = (ms: number, run: (key: Signal) => void): ((key: Signal) => void) => {
  const waiting = new Set<Signal>();
  return (key) => {
    if (waiting.has(key)) return;
    waiting.add(key);
    setTimeout(() => {
      waiting.delete(key);
      run(key);
    }, ms).unref();
  };
};

export const openSignals = ({ url, process, failed }: SignalOptions): OpenedSignals => {
  if (url === null) return { ...noSignals, hears: () => false, close: async () => undefined };
  const listeners: { signal: Signal; call: (detail: string) => void }[] = [];
  const stopping = new AbortController();
  let client: pg.Client | null = null;

  const heard = (payload: string): void => {
    const { from, signal, detail } = parse(payload);
    if (from === process) return;
    for (const each of listeners) if (each.signal === signal) each.call(detail);
  };

  const keepListening = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const connected = (opened: pg.Client): void => {
        failures = 0;
        client = opened;
      };
      try {
        await listen(url, connected, heard, stopping.signal);
      } catch (error) {
        failed(error);
      }
      client = null;
      failures += 1;
      await pause(growingWait(WAITS, failures), stopping.signal);
    }
  };

  const send = (signal: Signal, detail: string): void => {
    // The detail may be an id that a caller made up.
    const payload = withoutNul(`${process} ${signal} ${detail}`);
    client?.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(failed);
  };
  const sendSoon = atMostEvery(EVERY_MS, (signal) => send(signal, ''));
  const running = keepListening();

  return {
    tell(signal, detail) {
      if (detail === undefined) sendSoon(signal);
      else send(signal, detail);
    },
    on: (signal, call) => void listeners.push({ signal, call }),
    hears: () => client !== null,
    async close() {
      stopping.abort();
      await running;
    },
  };
};
