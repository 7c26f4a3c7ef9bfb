// A way to a PostgreSQL on which the answer to a commit of a write can be lost: the server has stored it, and the connection ends.
import { connect, createServer, type Socket } from 'node:net';
import { listenInPlaceOf } from './listen-in-place.ts';

/** `before`: the connection ends before the server gets the commit, which comes late, on its own. `after`: it has stored it. */
type Loss = 'before' | 'after';

export interface LossyNetwork {
  /** The address of the same server through this network. */
  readonly url: string;
  /** The answers to the next commits of writes, as many as there are losses, do not arrive. */
  lose(...losses: Loss[]): void;
  /** The number of answers that were lost. */
  lost(): number;
  /** The commits that were held back reach the server. Resolves when it has answered them. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

const BEGIN = 'pg_advisory_xact_lock';
const COMMIT = 'commit\0';
const COMMITTED = 'COMMIT\0';

export const startLossyNetwork = async (target: string): Promise<LossyNetwork> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const losses: Loss[] = [];
  const held: (() => Promise<void>)[] = [];
  let lost = 0;
  const lose = (near: Socket): void => {
    losses.shift();
    lost += 1;
    near.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let writes = false;
    let isHeld = false;
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    near.on('data', (bytes) => {
      if (bytes.includes(BEGIN)) writes = true;
      if (!(writes && losses[0] === 'before' && bytes.includes(COMMIT))) return void far.write(bytes);
      isHeld = true;
      held.push(async () => {
        const answered = new Promise<void>((resolve) => {
          far.once('data', () => resolve()).once('close', () => resolve());
        });
        far.write(bytes);
        await answered;
        far.destroy();
      });
      lose(near);
    });
    far.on('data', (bytes) => {
      if (writes && losses[0] === 'after' && bytes.includes(COMMITTED)) lose(near);
      else if (!near.destroyed) near.write(bytes);
    });
    near.on('close', () => void (isHeld || far.destroy()));
    far.on('close', () => near.destroy());
  });
  const url = await listenInPlaceOf(server, target);
  return {
    url,
    lose: (...more) => void losses.push(...more),
    lost: () => lost,
    async deliver() {
      for (const send of held.splice(0)) await send();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
