// A mail server on the loopback that takes mails, or makes one of the usual troubles. Its address stays the same.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export const TROUBLES = ['refuses connections', 'hangs', 'answers 451', 'answers 554'] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface TroubledMail {
  url: string;
  /** Null: it takes mails. */
  make(trouble: Trouble | null): Promise<void>;
  close(): Promise<void>;
}

const codeOf = (trouble: Trouble | null): number | null =>
  trouble?.startsWith('answers ') ? Number(trouble.slice('answers '.length)) : null;

const listen = (server: Pick<Server, 'listen'>, port = 0): Promise<void> =>
  new Promise((ready) => void server.listen(port, '127.0.0.1', ready));

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Takes mails, or answers each with the code. */
const startTaking = async (code: () => number | null): Promise<SMTPServer> => {
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData(stream, _session, done) {
      stream.resume().once('end', () => {
        const answer = code();
        done(answer === null ? null : Object.assign(new Error('not now'), { responseCode: answer }));
      });
    },
  });
  server.on('error', () => undefined);
  await listen(server);
  return server;
};

export const startTroubledMail = async (): Promise<TroubledMail> => {
  let present: Trouble | null = null;
  const taking = await startTaking(() => codeOf(present));
  const sockets = new Set<Socket>();
  const front = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    if (present === 'hangs') return;
    const behind = connect(portOf(taking.server), '127.0.0.1');
    behind.on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  await listen(front);
  const port = portOf(front);
  const close = (): Promise<void> =>
    new Promise((closed) => {
      for (const socket of sockets) socket.destroy();
      front.close(() => closed());
    });
  return {
    url: `smtp://127.0.0.1:${port}`,
    async make(trouble) {
      const [was, is] = [present === 'refuses connections', trouble === 'refuses connections'];
      present = trouble;
      if (is && !was) await close();
      if (was && !is) await listen(front, port);
    },
    async close() {
      if (front.listening) await close();
      await new Promise<void>((closed) => taking.close(() => closed()));
    },
  };
};
