// A language model of our own behind the OpenAI protocol, so that a test says what it answers, and when.
import { afterAll, beforeAll } from 'vitest';
import {
  type Asked,
  type Behaviour,
  type ChatServer,
  memories,
  startChatServer,
} from '../../adapters/language-model/chat-server.ts';

export interface HeldChat extends Disposable {
  /** Resolves when the question is there. */
  readonly reached: Promise<Asked>;
  release(): void;
}

export interface Chat {
  /** The settings of a Memoir that uses this model. */
  env(): Record<string, string>;
  /** Answers all questions from now on that no other answer was set for. */
  always(behaviour: Behaviour): void;
  /** Answers the next questions, in order. */
  next(...behaviours: Behaviour[]): void;
  /** The next question waits until it is released, and is then answered so. */
  hold(behaviour: Behaviour): HeldChat;
  /** The questions that came while the work ran. */
  during(work: () => Promise<unknown>): Promise<readonly Asked[]>;
}

/** The text of a question, all messages of it. */
export const questionOf = (asked: Asked | undefined): string =>
  asked?.body.messages.map(({ content }) => content).join('\n') ?? '';

export const useChat = (): Chat => {
  let running: ChatServer | undefined;
  let always: Behaviour = memories();
  beforeAll(async () => {
    running = await startChatServer((response, asked) => always(response, asked));
  });
  afterAll(() => running?.close());
  const server = (): ChatServer => {
    if (!running) throw new Error('The language model runs inside tests only.');
    return running;
  };
  return {
    env: () => ({ OPENAI_MODEL: 'reads-1', OPENAI_BASE_URL: server().baseUrl, OPENAI_API_KEY: 'secret' }),
    always(behaviour) {
      always = behaviour;
    },
    next: (...behaviours) => server().next(...behaviours),
    hold(behaviour) {
      const reached = Promise.withResolvers<Asked>();
      const released = Promise.withResolvers<void>();
      server().next(async (response, asked) => {
        reached.resolve(asked);
        await released.promise;
        await behaviour(response, asked);
      });
      return {
        reached: reached.promise,
        release: released.resolve,
        [Symbol.dispose]: released.resolve,
      };
    },
    async during(work) {
      const before = server().asked.length;
      await work();
      return server().asked.slice(before);
    },
  };
};
