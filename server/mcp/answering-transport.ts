// Standard input and output as a transport that answers what it received: input ends for it only after the last answer.
import { Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type LineRefusal, messageLines } from './message-lines.ts';

/** Longer than any tool waits; a program that wants an end earlier sends a signal. */
const LAST_ANSWER_MS = 30_000;

export interface AnsweringTransport {
  transport: Transport;
  /** Resolves with the first message that was sent. */
  answered: Promise<void>;
  /** Resolves when the client has closed its end and all answers are sent, or when the connection broke. */
  closed: Promise<void>;
}

interface OpenRequests {
  received(message: JSONRPCMessage): void;
  sent(message: JSONRPCMessage): void;
  /** Resolves when no request is open, at the latest after `ms`. */
  settled(ms: number): Promise<void>;
}

/** The request of a subscription is answered only when the connection ends. */
const SUBSCRIBES = 'subscriptions/listen';

const createOpenRequests = (): OpenRequests => {
  const open = new Set<unknown>();
  let none = () => {};
  const close = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) none();
  };
  return {
    received(message) {
      if (!('method' in message)) return;
      if ('id' in message && message.method !== SUBSCRIBES) open.add(message.id);
      // A cancelled request gets no answer.
      if (message.method === 'notifications/cancelled') close(message.params?.requestId);
    },
    sent(message) {
      if (!('method' in message)) close(message.id);
    },
    async settled(ms) {
      if (open.size === 0) return;
      const over = Promise.withResolvers<void>();
      none = over.resolve;
      const late = setTimeout(over.resolve, ms);
      await over.promise;
      clearTimeout(late);
    },
  };
};

/** In object mode a stream asks for the next piece when the last one was read, so no request is overlooked at the end. */
const endAfterAnswers = (
  input: Readable,
  requests: OpenRequests,
  refuse: (answer: LineRefusal) => void,
): Readable =>
  Readable.from(
    (async function* () {
      yield* messageLines(input, refuse);
      await requests.settled(LAST_ANSWER_MS);
    })(),
  );

export const createAnsweringTransport = (input: Readable, output: Writable): AnsweringTransport => {
  const requests = createOpenRequests();
  const [answered, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const refuse = (answer: LineRefusal): void => {
    output.write(`${JSON.stringify(answer)}\n`);
    transport.onerror?.(new Error(`A line was refused. ${answer.error.message}`));
  };
  const wire = new StdioServerTransport(endAfterAnswers(input, requests, refuse), output);
  const transport: Transport = {
    async start() {
      wire.onmessage = (message) => {
        requests.received(message);
        transport.onmessage?.(message);
      };
      wire.onerror = (error) => transport.onerror?.(error);
      wire.onclose = () => {
        transport.onclose?.();
        closed.resolve();
      };
      await wire.start();
    },
    async send(message) {
      try {
        await wire.send(message);
      } finally {
        requests.sent(message);
        answered.resolve();
      }
    },
    close: () => wire.close(),
  };
  return { transport, answered: answered.promise, closed: closed.promise };
};
