// Calls between two threads: the name of a command, arguments that can be cloned, one answer.
// One type lists the commands of a thread, so that a renamed command or a wrong argument does not compile.

import { MessagePort, type Transferable } from 'node:worker_threads';
import { codesOf } from '../storage-fault.ts';

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

/** A value that cannot be cloned is sent as an error message: without an answer the caller would wait for ever. */
const postReply = (end: MessageEnd, reply: CallReply): void => {
  try {
    end.postMessage(reply);
  } catch (cause) {
    const subject = reply.ok ? 'The answer' : String(reply.error);
    end.postMessage({
      id: reply.id,
      ok: false,
      error: new Error(`${subject} (it cannot cross threads: ${String(cause)})`),
      codes: {},
    } satisfies CallReply);
  }
};

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
  end.on('message', (message) => {
    if (isCallRequest(message)) void answer(message).then((reply) => postReply(end, reply));
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

export const callsOver = <Commands extends CommandHandlers>(end: MessageEnd): Calls<Commands> => {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>();
  let next = 1;
  let gone: Error | null = null;
  end.on('message', (message) => {
    if (!isCallReply(message)) return;
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.ok) entry?.resolve(message.value as never);
    else entry?.reject(withCodes(message));
  });
  return {
    call: (command, ...args) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(gone);
        const id = next++;
        end.postMessage({ id, command, args }, portsIn(args));
        waiting.set(id, { resolve, reject });
      }),
    fail(reason) {
      gone = reason;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
};
