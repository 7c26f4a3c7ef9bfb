// An embedding service of our own, so that a test can count what is embedded and hold a document in the middle of its way.
import { afterAll, beforeAll } from 'vitest';
import {
  type EmbeddingsServer,
  refuse,
  startEmbeddingsServer,
  truly,
} from '../../adapters/embed/embeddings-server.ts';
import { timePasses } from '../../support/until.ts';

export interface Held extends Disposable {
  /** Resolves when the request is there, and so the document is being embedded. */
  readonly reached: Promise<void>;
  release(): void;
}

export interface Embeddings {
  /** The settings of a Memoir that uses this service. */
  env(): Record<string, string>;
  /** The next request waits until it is released; leaving the block releases it as well. */
  hold(): Held;
  /** Every request takes so long, until the block is left. */
  slow(ms: number): Disposable;
  /** The next request with such a text is refused as with a wrong key, which no retry can mend. */
  refuseNext(text: string): void;
  /** The texts that were embedded while the work ran. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

/** Others may be on their way: they are answered, and it is the turn of the one that comes after them. */
const refuseWith = (server: EmbeddingsServer, text: string): void =>
  server.next((response, request) => {
    if (request.body.input.some((input) => input.includes(text)))
      return refuse(401, 'This key is not known.')(response, request);
    refuseWith(server, text);
    return truly(response, request);
  });

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
    hold() {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      server().next(async (response, request) => {
        reached.resolve();
        await released.promise;
        truly(response, request);
      });
      return {
        reached: reached.promise,
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
