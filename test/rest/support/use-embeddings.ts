// An embedding service of our own, so that a test can count what is embedded and hold a document in the middle of its way.

import { afterAll, beforeAll } from 'vitest';
import {
  type EmbeddingsServer,
  startEmbeddingsServer,
  truly,
} from '../../adapters/embed/embeddings-server.ts';
import { refuse } from '../../support/models/servers/behaving-server.ts';
import { timePasses } from '../../support/until.ts';

export interface Held extends Disposable {
  /** Resolves when the request is there, and so the document is being embedded. */
  readonly reached: Promise<void>;
  /** Resolves when so many requests are there. */
  arrived(requests: number): Promise<void>;
  release(): void;
}

export interface Embeddings {
  /** The settings of a Memoir that uses this service. */
  env(): Record<string, string>;
  /** The next requests, one unless more are named, wait until they are released; leaving the block releases them as well. */
  hold(requests?: number): Held;
  /** Every request takes so long, until the block is left. */
  slow(ms: number): Disposable;
  /** The next document with such a text is refused, alone, while other texts are answered. */
  refuseNext(text: string): void;
  /** The texts that were embedded while the work ran. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

/** Alone, a text is asked for twice before it is given up. */
const ASKED_ALONE = 2;

/** Others may be on their way: they are answered, and it is the turn of the one that comes after them. */
const refuseWith = (server: EmbeddingsServer, text: string, left = ASKED_ALONE): void => {
  if (left === 0) return;
  server.next((response, request) => {
    const { input } = request.body;
    const refused = input.some((each) => each.includes(text));
    refuseWith(server, text, refused && input.length === 1 ? left - 1 : left);
    return (refused ? refuse(400, 'This text is not embedded.') : truly)(response, request);
  });
};

export const useEmbeddings = (): Embeddings => {
  let running: EmbeddingsServer | undefined;
  beforeAll(async () => {
    running = await startEmbeddingsServer();
  });
  afterAll(() => running?.close());
  const server = (): EmbeddingsServer => {
    if (!running) throw new Error('The embedding service runs inside tests only.');
    return running;
  };
  return {
    env: () => ({
      MEMOIR_EMBEDDING_MODEL: 'meaning-1',
      OPENAI_BASE_URL: server().baseUrl,
      OPENAI_API_KEY: 'secret',
    }),
    hold(requests = 1) {
      const there = Array.from({ length: requests }, () => Promise.withResolvers<void>());
      const released = Promise.withResolvers<void>();
      for (const { resolve } of there)
        server().next(async (response, request) => {
          resolve();
          await released.promise;
          truly(response, request);
        });
      const arrived = async (count: number) => there[count - 1]?.promise;
      return {
        reached: arrived(1),
        arrived,
        release: released.resolve,
        [Symbol.dispose]: released.resolve,
      };
    },
    slow(ms) {
      server().always(async (response, request) => {
        await timePasses(ms, 'the service is slow');
        truly(response, request);
      });
      return { [Symbol.dispose]: () => server().always() };
    },
    refuseNext: (text) => refuseWith(server(), text),
    async during(work) {
      const before = server().received.length;
      await work();
      return server()
        .received.slice(before)
        .flatMap(({ body }) => body.input);
    },
  };
};
