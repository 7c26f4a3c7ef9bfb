// The network between this process and PostgreSQL. A network that loses packets tells nobody: the database is asked every second,
// and when it answers nothing all connections end, so that no call waits for an answer that will not come. The answer also says
// whether it is still the same server: one that was started again, or that took the place of another, may lack what was read before,
// because the work of workers is repeated after a crash, and not waited for at its commit.
import { Socket } from 'node:net';
import pg from 'pg';
import { pause } from '../../../lib/async/wait.ts';

const ASK_EVERY_MS = 1_000;
/** Together with the time between two questions: a call waits for less than five seconds. */
const ANSWER_MS = 2_500;
/** The answer is waited for in parts: a process that was stopped, or was busy for long, looks before it judges. */
const PART_MS = 250;

export interface DatabaseLink {
  /** For a new connection. While the database is silent it fails at once. */
  socket(): Socket;
  /** Called when the database may have lost what was read from it. */
  onLoss(call: () => void): void;
  /** Ends the connections that are still open. */
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly url: string;
  /** Told when the database becomes silent, and when it answers again. */
  readonly changed?: (silent: boolean) => void;
}

/** With the code of a network that gives up, which the callers know. */
const networkSilence = (): Error =>
  Object.assign(new Error(`nothing was received from it for ${ANSWER_MS / 1_000} seconds`), {
    code: 'ETIMEDOUT',
  });

interface Line {
  readonly socket: Socket;
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
}

const openLine = (url: string, ended: () => void): Line => {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  client.on('error', () => undefined);
  client.on('end', ended);
  return { socket, client, connected: client.connect() };
};

/** Behind a pooler the connection outlives the server. */
const QUESTION = 'select pg_postmaster_start_time()::text as began';

/** Asks on a connection of its own. `lost`: it ended, or another server answers. */
const createQuestion = (url: string, lost: () => void) => {
  let line: Line | null = null;
  let pending: Promise<void> | null = null;
  let server: string | undefined;
  const ask = async (): Promise<void> => {
    try {
      line ??= openLine(url, lost);
      await line.connected;
      const { rows } = await line.client.query<{ began: string }>(QUESTION);
      const before = server;
      server = rows[0]?.began;
      if (before !== undefined && before !== server) lost();
    } catch {
      // A refusal is an answer too; the next question takes another connection.
      line?.socket.destroy();
      line = null;
    }
  };
  return {
    /** Resolves with the answer to the question that waits, or to a new one. */
    answer(): Promise<void> {
      pending ??= ask().finally(() => {
        pending = null;
      });
      return pending;
    },
    async hangUp(): Promise<void> {
      line?.socket.destroy();
      await pending;
      line = null;
    },
  };
};

export const watchLink = ({ url, changed = () => undefined }: LinkOptions): DatabaseLink => {
  /** With the number of bytes that each had received at the last look. */
  const sockets = new Map<Socket, number>();
  const closing = new AbortController();
  const losses: (() => void)[] = [];
  const question = createQuestion(url, () => {
    for (const call of losses) call();
  });
  let silent = false;

  /** While long work keeps all connections of a pooler, the question waits, and other calls are answered. */
  const heard = (): boolean => {
    const receiving = [...sockets].filter(([socket, before]) => socket.bytesRead > before);
    for (const [socket] of receiving) sockets.set(socket, socket.bytesRead);
    return receiving.length > 0;
  };

  const answers = async (): Promise<boolean> => {
    heard();
    const answered = question.answer().then(() => true);
    for (let waited = 0; waited < ANSWER_MS && !closing.signal.aborted; waited += PART_MS)
      if (await Promise.race([answered, pause(PART_MS, closing.signal).then(heard)])) return true;
    return closing.signal.aborted;
  };

  const look = async (): Promise<void> => {
    const before = silent;
    silent = !(await answers());
    if (silent) {
      for (const socket of sockets.keys()) socket.destroy(networkSilence());
      await question.hangUp();
    }
    if (silent !== before) changed(silent);
  };

  const watching = (async () => {
    while (!closing.signal.aborted) {
      await look();
      await pause(ASK_EVERY_MS, closing.signal);
    }
  })();

  return {
    socket() {
      const socket = new Socket();
      sockets.set(socket, 0);
      socket.once('close', () => sockets.delete(socket));
      // Its listeners come after this call.
      if (silent) process.nextTick(() => socket.destroy(networkSilence()));
      return socket;
    },
    onLoss: (call) => void losses.push(call),
    async close() {
      closing.abort();
      for (const socket of sockets.keys()) socket.destroy();
      await question.hangUp();
      await watching;
    },
  };
};

/** The pool ends in any case after this time: a vacuum takes longer the larger the tables are. */
const LAST_STATEMENTS_MS = 500;

/** Ends the pool and the link of its connections, whatever is under way. */
export const endWithLink = async (pool: pg.Pool, link: DatabaseLink): Promise<void> => {
  const ended = pool.end();
  await Promise.race([ended, pause(LAST_STATEMENTS_MS)]);
  await link.close();
  await ended;
};
