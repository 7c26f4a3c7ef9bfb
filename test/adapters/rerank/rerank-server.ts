// A rerank service on loopback that counts shared words, in the form of any known service, and misbehaves on request.
import {
  type AskedOf,
  answer,
  type BehavingServer,
  type BehaviourOf,
  startBehavingServer,
} from '../../support/models/servers/behaving-server.ts';

type Asked = AskedOf<{
  readonly model?: string;
  readonly query: string;
  readonly documents?: readonly string[];
  readonly texts?: readonly string[];
}>;

export type Behaviour = BehaviourOf<Asked['body']>;

export interface RerankServer extends Omit<BehavingServer<Asked['body']>, 'origin'> {
  readonly url: string;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of the text's words that the query has: it prefers what is short and to the point. */
export const relevance = (query: string, text: string): number => {
  const asked = new Set(wordsOf(query));
  const words = wordsOf(text);
  return words.filter((word) => asked.has(word)).length / Math.max(1, words.length);
};

const scored = (query: string, texts: readonly string[]): { index: number; score: number }[] =>
  texts.map((text, index) => ({ index, score: relevance(query, text) })).sort((a, b) => b.score - a.score);

/** Cohere, Jina, vLLM, llama.cpp. */
export const asResults: Behaviour = (response, { body: { query, documents = [] } }) =>
  answer(response, {
    id: 'r-1',
    results: scored(query, documents).map(({ index, score }) => ({ index, relevance_score: score })),
    meta: { billed_units: { search_units: 1 } },
  });

/** Voyage. */
export const asData: Behaviour = (response, { body: { query, documents = [] } }) =>
  answer(response, {
    object: 'list',
    data: scored(query, documents).map(({ index, score }) => ({ index, relevance_score: score })),
  });

/** text-embeddings-inference. */
export const asList: Behaviour = (response, { body: { query, texts } }) => {
  if (texts === undefined)
    return answer(response, 'Failed to deserialize the JSON body: missing field `texts` at line 1', 422);
  if (texts.length > 32)
    return answer(response, { error: 'batch size > maximum allowed batch size 32' }, 422);
  return answer(response, scored(query, texts));
};

export const refuse =
  (status: number, said: string): Behaviour =>
  (response) =>
    answer(response, { message: said }, status);

export const startRerankServer = async (): Promise<RerankServer> => {
  const { origin, ...server } = await startBehavingServer(asResults);
  return { ...server, url: origin };
};
