// A way to a server through which nothing passes while the network is silent: what is sent waits, as a network sends again what it
// lost, and nobody is told of connections that ended.
import { connect, createServer, type Socket } from 'node:net';
import { listenInPlaceOf } from './listen-in-place.ts';

export interface SilentNetwork {
  /** The address of the same server through this network. */
  readonly url: string;
  /** New connections go to this server instead. */
  leadTo(target: string): void;
  silence(): void;
  /** The bytes that wait arrive. */
  heal(): void;
  close(): Promise<void>;
}

/** Hands on what arrives, and the end. */
interface Direction {
  readonly from: Socket;
  readonly to: Socket;
}

const handOn = (
  { from, to }: Direction,
  isSilent: () => boolean,
  later: (work: () => void) => void,
): void => {
  from.on('data', (bytes) => {
    if (isSilent()) later(() => void (to.destroyed || to.write(bytes)));
    else to.write(bytes);
  });
  from.on('close', () => {
    if (isSilent()) later(() => to.destroy());
    else to.destroy();
  });
  from.on('error', () => undefined);
};

export const startSilentNetwork = async (target: string): Promise<SilentNetwork> => {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;
  let waiting: (() => void)[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const later = (work: () => void): void => void waiting.push(work);
    handOn({ from: near, to: far }, () => silent, later);
    handOn({ from: far, to: near }, () => silent, later);
  });
  const url = await listenInPlaceOf(server, target);
  return {
    url,
    leadTo(other) {
      ({ hostname, port } = new URL(other));
    },
    silence() {
      silent = true;
    },
    heal() {
      silent = false;
      const all = waiting;
      waiting = [];
      for (const work of all) work();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
