// An embedding service that would be paid for: it counts what it is sent, and its models give vectors of their own.

import {
  type Behaviour,
  type EmbeddingsServer,
  meaningOf,
  startEmbeddingsServer,
} from '../../adapters/embed/embeddings-server.ts';
import { answer } from '../../support/models/servers/behaving-server.ts';

export interface Paid {
  readonly server: EmbeddingsServer;
  /** The settings of a Memoir that uses this model. */
  env(model: string, dimensions?: number): Record<string, string>;
  /** The texts that were sent to be embedded since the mark, or since the start; to this model, if one is named. */
  embedded(since?: number, model?: string): string[];
  /** For `embedded`: from here on. */
  mark(): number;
  close(): Promise<void>;
}

const sum = (text: string): number => [...text].reduce((all, unit) => all + (unit.codePointAt(0) ?? 0), 0);

/** Each model turns the same meaning another way, so that vectors of two models have nothing in common. */
export const byModel: Behaviour = (response, { body }) => {
  const shift = sum(body.model) % 97;
  const data = body.input.map((text, index) => {
    const meaning = meaningOf(text);
    const turned = [...meaning.slice(shift), ...meaning.slice(0, shift)];
    return { object: 'embedding', index, embedding: turned.slice(0, body.dimensions ?? turned.length) };
  });
  answer(response, { object: 'list', model: body.model, data });
};

export const startPaid = async (): Promise<Paid> => {
  const server = await startEmbeddingsServer();
  server.always(byModel);
  return {
    server,
    env: (model, dimensions) => ({
      MEMOIR_EMBEDDING_MODEL: model,
      MEMOIR_EMBEDDING_DIMENSIONS: dimensions === undefined ? '' : String(dimensions),
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'sk-of-the-tests',
    }),
    embedded: (since = 0, model) =>
      server.received
        .slice(since)
        .filter(({ body }) => model === undefined || body.model === model)
        .flatMap(({ body }) => body.input),
    mark: () => server.received.length,
    close: () => server.close(),
  };
};
