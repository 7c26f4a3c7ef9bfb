// Two kinds of load: as much as the server can take, and a fixed number of requests a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, asked, type Connection, connect } from './connection.ts';

export interface Target {
  url: string;
  key: string | null;
}

export interface Load {
  /** Requests a second. */
  rate: number;
  /** Milliseconds of each request, sorted. */
  latencies: Float64Array;
}

const withConnections = async <T>(
  { url, key }: Target,
  count: number,
  use: (connections: Connection[]) => Promise<T>,
): Promise<T> => {
  const connections = Array.from({ length: count }, () => connect(url, key));
  try {
    return await use(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
};

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

export interface ClosedLoop {
  connections: number;
  seconds: number;
  next: () => Ask;
  /** The limit of requests, however fast the server is. */
  most?: number;
  /** Called for each answer 503; missing: it ends the measurement. */
  onBusy?: () => void;
}

const BUSY = 503;

/** Each connection sends its next request after an answer, until the time is over. */
export const closedLoop = (target: Target, loop: ClosedLoop): Promise<Load> =>
  withConnections(target, loop.connections, async (connections) => {
    const latencies: number[] = [];
    const most = loop.most ?? Number.POSITIVE_INFINITY;
    let sent = 0;
    const start = performance.now();
    const end = start + loop.seconds * 1000;
    const run = async (connection: Connection): Promise<void> => {
      while (performance.now() < end && sent < most) {
        sent += 1;
        const began = performance.now();
        const ask = loop.next();
        if (loop.onBusy === undefined) await asked(connection, ask);
        else if ((await connection.ask(ask)).status === BUSY) loop.onBusy();
        latencies.push(performance.now() - began);
      }
    };
    await Promise.all(connections.map(run));
    const seconds = (performance.now() - start) / 1000;
    return { rate: latencies.length / seconds, latencies: sorted(latencies) };
  });

export interface Paced {
  perSecond: number;
  connections: number;
  /** Continues until this returns true; checked before each request. */
  over: () => boolean;
  next: () => Ask;
}

/** Sends a request at each tick, answered or not; its time counts from the tick, so that waiting is included. */
export const paced = (target: Target, { perSecond, connections: count, over, next }: Paced): Promise<Load> =>
  withConnections(target, count, async (connections) => {
    const free = [...connections];
    const late: { at: number; run: (connection: Connection) => void }[] = [];
    const latencies: number[] = [];
    const inFlight = new Set<Promise<void>>();
    const handBack = (connection: Connection): void => {
      const waiting = late.shift();
      if (waiting) waiting.run(connection);
      else free.push(connection);
    };
    const send = async (at: number): Promise<void> => {
      const connection = free.pop() ?? (await new Promise<Connection>((run) => void late.push({ at, run })));
      await asked(connection, next());
      latencies.push(performance.now() - at);
      handBack(connection);
    };
    const start = performance.now();
    for (let tick = 0; !over(); tick += 1) {
      const at = start + (tick * 1000) / perSecond;
      await sleep(Math.max(0, at - performance.now()));
      const work = send(at).finally(() => inFlight.delete(work));
      inFlight.add(work);
    }
    await Promise.all(inFlight);
    const seconds = (performance.now() - start) / 1000;
    return { rate: latencies.length / seconds, latencies: sorted(latencies) };
  });
