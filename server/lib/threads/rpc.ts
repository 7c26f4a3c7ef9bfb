// Calls between two threads: the name of a command, arguments that can be cloned, one answer. A message wakes the other
// thread and costs as much as a short command, so what goes out at one moment is one message.
// One type lists the commands of a thread, so that a renamed command or a wrong argument does not compile.

import { MessagePort, type Transferable } from 'node:worker_threads';
import { codesOf } from '../faults/storage-fault.ts';

export interface MessageEnd {
  postMessage(value: unknown, transfer?: readonly Transferable[]): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
}

type CommandHandler = (...args: never[]) => Promise<unknown>;

/** The commands of a thread, by name. */
export type CommandHandlers = Readonly<Record<string, CommandHandler>>;

interface CallRequest {
  id: number;
  command: string;
  args: unknown[];
}

type CallReply =
  | { id: number; ok: true; value: unknown }
  /** `codes`: a cloned error has its message and its stack only. */
  | { id: number; ok: false; error: unknown; codes: object };

const withCodes = ({ error, codes }: { error: unknown; codes: object }): unknown =>
  error instanceof Error ? Object.assign(error, codes) : error;

const isCallRequest = (message: unknown): message is CallRequest =>
  typeof message === 'object' && message !== null && 'command' in message && 'id' in message;
const isCallReply = (message: unknown): message is CallReply =>
  typeof message === 'object' && message !== null && 'ok' in message && 'id' in message;

/** Calls this a moment later, once for all that is sent until then. */
type Moment = (flush: () => void) => void;

/** The moment before this thread looks at its next message. */
const AT_ONCE: Moment = (flush) => process.nextTick(flush);
/** The moment at which this thread has looked at all messages that came meanwhile. */
const TOGETHER: Moment = (flush) => void setImmediate(flush);

/** `refused` is told each message that cannot be cloned; the others are sent. */
const openOutbox = <Message extends object>(
  end: MessageEnd,
  moment: Moment,
  refused: (message: Message, cause: unknown) => void,
): ((message: Message) => void) => {
  const waiting: Message[] = [];
  const sendAlone = (message: Message): void => {
    try {
      end.postMessage(message);
    } catch (cause) {
      refused(message, cause);
    }
  };
  const flush = (): void => {
    const messages = waiting.splice(0);
    const [first] = messages;
    try {
      end.postMessage(messages.length === 1 ? first : messages);
    } catch {
      for (const message of messages) sendAlone(message);
    }
  };
  return (message) => {
    waiting.push(message);
    if (waiting.length === 1) moment(flush);
  };
};

const onEach = (end: MessageEnd, heard: (message: unknown) => void): void => {
  end.on('message', (message) => {
    if (Array.isArray(message)) for (const one of message) heard(one);
    else heard(message);
  });
};

/** Without an answer the caller would wait for ever. */
const sendReplies = (end: MessageEnd): ((reply: CallReply) => void) =>
  openOutbox(end, AT_ONCE, (reply, cause) => {
    const subject = reply.ok ? 'The answer' : String(reply.error);
    end.postMessage({
      id: reply.id,
      ok: false,
      error: new Error(`${subject} (it cannot cross threads: ${String(cause)})`),
      codes: {},
    } satisfies CallReply);
  });

export const serveCalls = <Commands extends CommandHandlers>(end: MessageEnd, handlers: Commands): void => {
  const answer = async ({ id, command, args }: CallRequest): Promise<CallReply> => {
    try {
      const handler = handlers[command];
      if (!handler) throw new Error(`There is no command ${command} on this thread`);
      return { id, ok: true, value: await handler(...(args as never[])) };
    } catch (error) {
      return { id, ok: false, error, codes: codesOf(error) };
    }
  };
  const send = sendReplies(end);
  onEach(end, (message) => {
    if (isCallRequest(message)) void answer(message).then(send);
  });
};

/** Calls one command of another thread. */
export interface Call<Commands extends CommandHandlers> {
  <K extends keyof Commands & string>(
    command: K,
    ...args: Parameters<Commands[K]>
  ): Promise<Awaited<ReturnType<Commands[K]>>>;
  /** Never set. The compiler does not compare generic signatures; it compares this. */
  readonly commands?: Commands;
}

export interface Calls<Commands extends CommandHandlers> {
  call: Call<Commands>;
  /** The other thread is gone: every waiting call fails with the reason. */
  fail(reason: Error): void;
}

/** A port has one owner, so it moves to the other thread. */
const portsIn = (args: readonly unknown[]): MessagePort[] => args.filter((arg) => arg instanceof MessagePort);

export interface CallsOptions {
  /** Calls that begin while this thread looks at what came in are one message: for many short calls at once. */
  readonly together?: boolean;
}

export const callsOver = <Commands extends CommandHandlers>(
  end: MessageEnd,
  { together = false }: CallsOptions = {},
): Calls<Commands> => {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>();
  let next = 1;
  let gone: Error | null = null;
  const settle = (id: number) => {
    const entry = waiting.get(id);
    waiting.delete(id);
    return entry;
  };
  onEach(end, (message) => {
    if (!isCallReply(message)) return;
    const entry = settle(message.id);
    if (message.ok) entry?.resolve(message.value as never);
    else entry?.reject(withCodes(message));
  });
  const sendLater = openOutbox<CallRequest>(end, TOGETHER, ({ id }, cause) => settle(id)?.reject(cause));
  const send = (request: CallRequest): void => {
    const ports = portsIn(request.args);
    if (together && ports.length === 0) sendLater(request);
    else end.postMessage(request, ports);
  };
  return {
    call: (command, ...args) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(gone);
        const id = next++;
        send({ id, command, args });
        waiting.set(id, { resolve, reject });
      }),
    fail(reason) {
      gone = reason;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
};
