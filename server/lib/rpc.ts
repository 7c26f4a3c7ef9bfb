// Calls between two threads: a method name, arguments that can be cloned, one answer.

export interface MessageEnd {
  postMessage(value: unknown): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
}

type Handler = (...args: never[]) => Promise<unknown>;
export type Handlers = Readonly<Record<string, Handler>>;

interface Request {
  id: number;
  method: string;
  args: unknown[];
}

type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: unknown };

const isRequest = (message: unknown): message is Request =>
  typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
const isReply = (message: unknown): message is Reply =>
  typeof message === 'object' && message !== null && 'ok' in message && 'id' in message;

/** What cannot be cloned is told in words: an answer that is never sent would keep its caller waiting for ever. */
const post = (end: MessageEnd, reply: Reply): void => {
  try {
    end.postMessage(reply);
  } catch (cause) {
    const what = reply.ok ? 'The answer' : String(reply.error);
    end.postMessage({
      id: reply.id,
      ok: false,
      error: new Error(`${what} (it cannot cross threads: ${String(cause)})`),
    } satisfies Reply);
  }
};

export const serveCalls = (end: MessageEnd, handlers: Handlers): void => {
  const answer = async ({ id, method, args }: Request): Promise<Reply> => {
    try {
      const handler = handlers[method];
      if (!handler) throw new Error(`There is no method ${method} on this thread`);
      return { id, ok: true, value: await handler(...(args as never[])) };
    } catch (error) {
      return { id, ok: false, error };
    }
  };
  end.on('message', (message) => {
    if (isRequest(message)) void answer(message).then((reply) => post(end, reply));
  });
};

export interface Calls {
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /** The other side is gone: everything that waits is told why. */
  fail(reason: Error): void;
}

export const callsOver = (end: MessageEnd): Calls => {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>();
  let next = 1;
  let gone: Error | null = null;
  end.on('message', (message) => {
    if (!isReply(message)) return;
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.ok) entry?.resolve(message.value as never);
    else entry?.reject(message.error);
  });
  return {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(gone);
        const id = next++;
        end.postMessage({ id, method, args });
        waiting.set(id, { resolve, reject });
      }),
    fail(reason) {
      gone = reason;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
};
