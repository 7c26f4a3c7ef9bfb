// A small embeddings server on loopback that follows the protocol, and misbehaves on request.
import {
  type AskedOf,
  answer,
  type BehavingServer,
  type BehaviourOf,
  startBehavingServer,
} from '../../support/models/servers/behaving-server.ts';
import { timePasses } from '../../support/until.ts';

export type Received = AskedOf<{
  model: string;
  input: string[];
  encoding_format?: string;
  dimensions?: number;
}>;

export type Behaviour = BehaviourOf<Received['body']>;

export interface EmbeddingsServer extends Omit<BehavingServer<Received['body']>, 'origin' | 'asked'> {
  readonly baseUrl: string;
  readonly received: Received[];
}

const DIMENSIONS = 256;

function place(feature: string): number {
  let hash = 7;
  for (const unit of feature) hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) % 1_000_003;
  return 1 + (hash % (DIMENSIONS - 1));
}

/** Words and pairs of characters, counted: enough meaning for a test. The first place keeps it from being zero. */
export function meaningOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  vector[0] = 0.5;
  for (const word of text
    .slice(0, 5000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const characters = [...word];
    const features = [word, ...characters.map((character, at) => character + (characters[at + 1] ?? ''))];
    for (const feature of features) vector[place(feature)] = (vector[place(feature)] ?? 0) + 1;
  }
  return vector;
}

export const vectors =
  (embeddings: readonly unknown[]): Behaviour =>
  (response) =>
    answer(response, { data: embeddings.map((embedding, index) => ({ index, embedding })) });

/** Answers after a while, so that requests overlap. */
export const slowly: Behaviour = async (response, request) => {
  await timePasses(30, 'requests overlap');
  truly(response, request);
};

/** In any order: the protocol promises none. */
export const truly: Behaviour = (response, { body }) => {
  const data = body.input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: meaningOf(text).slice(0, body.dimensions ?? DIMENSIONS),
  }));
  answer(response, { object: 'list', model: body.model, data: data.reverse() });
};

export const startEmbeddingsServer = async (): Promise<EmbeddingsServer> => {
  const { origin, asked, ...server } = await startBehavingServer<Received['body']>(truly);
  return { ...server, baseUrl: `${origin}/v1`, received: asked };
};
