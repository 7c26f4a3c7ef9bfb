// One keep-alive connection with the least HTTP that Memoir and Chroma need, so that the client costs almost nothing.
import { connect as connectSocket } from 'node:net';

export interface Answer {
  status: number;
  body: string;
}

export interface Ask {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: string;
  /** The type of the body; default: JSON. */
  type?: string;
}

export interface Connection {
  /** Sends one request at a time: the next follows the last answer. */
  ask(ask: Ask): Promise<Answer>;
  close(): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LIMIT_MS = 60_000;

interface Head {
  status: number;
  bodyFrom: number;
  length: number;
}

const headOf = (bytes: Buffer): Head | null => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const text = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  return { status: Number(text.slice(9, 12)), bodyFrom: end + 4, length: Number(length ?? 0) };
};

const messageOf = (
  host: string,
  key: string | null,
  { method, path, body, type = 'application/json' }: Ask,
): string => {
  const authorization = key === null ? '' : `authorization: Bearer ${key}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${authorization}`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

interface Waiting {
  what: string;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

export const connect = (url: string, key: string | null): Connection => {
  const { hostname, port, host } = new URL(url);
  const socket = connectSocket(Number(port), hostname).setNoDelay(true);
  let waiting: Waiting | null = null;
  let received: Buffer[] = [];

  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = null;
  };
  const take = (part: Buffer): void => {
    received.push(part);
    const bytes = received.length === 1 ? part : Buffer.concat(received);
    received = [bytes];
    const head = headOf(bytes);
    if (head === null || bytes.length < head.bodyFrom + head.length) return;
    received = [];
    const answered = waiting;
    waiting = null;
    answered?.resolve({ status: head.status, body: bytes.toString('utf8', head.bodyFrom) });
  };

  socket.on('data', take);
  socket.on('error', fail);
  socket.on('close', () =>
    fail(new Error(`${url} closed the connection before it answered ${waiting?.what}.`)),
  );
  socket.setTimeout(LIMIT_MS, () => socket.destroy());
  return {
    ask: (ask) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error(`The connection to ${url} is closed.`));
        waiting = { what: `${ask.method} ${ask.path}`, resolve, reject };
        socket.write(messageOf(host, key, ask));
      }),
    close: () => void socket.destroy(),
  };
};

/** The answer to a request that must succeed. */
export const post = (path: string, body: object): Ask => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});

export const asked = async (connection: Connection, ask: Ask): Promise<string> => {
  const { status, body } = await connection.ask(ask);
  if (status >= 200 && status < 300) return body;
  throw new Error(`${ask.method} ${ask.path} answered ${status}: ${body.slice(0, 300)}`);
};
