// Short ways to search over REST, and the texts that the tests of search have in common.
import type { Refusal, Rest } from './use-memoir.ts';

export interface MemoryHit {
  id: string;
  memory?: string;
  chunk?: string;
  content: string;
  passage?: { id: string; content: string; documentId: string; position: number };
  match?: { text: string; position: number };
  similarity: number;
  metadata: Record<string, unknown> | null;
  updatedAt: string;
  version?: number | null;
  filepath?: string | null;
  context?: Record<'parents' | 'children' | 'related', Record<string, unknown>[]>;
  documents?: Record<string, unknown>[];
  chunks?: { content: string; score: number; position: number; documentId: string }[];
}

export interface DocumentResult {
  documentId: string;
  title: string | null;
  type: string | null;
  metadata: Record<string, unknown> | null;
  score: number;
  createdAt: string;
  updatedAt: string;
  chunks: { content: string; score: number; isRelevant: boolean; position: number }[];
  summary?: string | null;
  content?: string | null;
}

interface Found<T> {
  results: T[];
  timing: number;
  total: number;
}

type Fields = Record<string, unknown>;
type As = { key?: string | null };

export interface Searches {
  /** POST /v4/search, whatever it answers. */
  v4(body: Fields, as?: As): ReturnType<Rest['ask']>;
  /** Its results, which must come. */
  memories(q: string, more?: Fields): Promise<MemoryHit[]>;
  /** POST /v3/search. */
  documents(q: string, more?: Fields): Promise<DocumentResult[]>;
  /** The documents that either search finds, by the name in their metadata, sorted. */
  namesIn(route: Route, more?: Fields): Promise<string[]>;
  /** The refusal of a search that must fail with this status. */
  refusal(route: Route, body: Fields, status?: number): Promise<string>;
}

export const routes = ['/v3/search', '/v4/search'] as const;
export type Route = (typeof routes)[number];

export const textOf = ({ memory, chunk }: MemoryHit): string => memory ?? chunk ?? '';

/** The best one, which must be there. */
export const firstOf = (hits: readonly MemoryHit[]): MemoryHit => {
  const [hit] = hits;
  if (!hit) throw new Error('Nothing was found.');
  return hit;
};

export const searchesOf = (api: Rest): Searches => {
  const results = async <T>(route: Route, body: Fields): Promise<T[]> => {
    const answer = await api.ask<Found<T>>('POST', route, body);
    if (answer.status !== 200)
      throw new Error(`${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.results;
  };
  return {
    v4: (body, as) => api.ask('POST', '/v4/search', body, as),
    memories: (q, more = {}) => results('/v4/search', { q, ...more }),
    documents: (q, more = {}) => results('/v3/search', { q, ...more }),
    async namesIn(route, more = {}) {
      const asked = { limit: 100, threshold: 0, ...more };
      const found = await results<{ metadata: { name?: string } | null }>(route, { q: 'harbour', ...asked });
      return found.map(({ metadata }) => metadata?.name ?? '').sort();
    },
    async refusal(route, body, status = 400) {
      const answer = await api.ask<Refusal>('POST', route, body);
      if (answer.status !== status)
        throw new Error(`${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body.error;
    },
  };
};

/** A person's notes: few share a word. */
export const notes = {
  dentist: 'The dentist moved the appointment to Tuesday 14 May at half past nine.',
  dog: 'Our neighbour adopted a small brown dog from the shelter last winter.',
  budget: 'The budget meeting was postponed until Thursday afternoon.',
  tea: 'Ada prefers green tea without sugar in the morning.',
  passport: 'My passport expires in May, so it must be renewed before the trip to Norway.',
  train: 'The train to Lyon leaves at quarter past eight from platform four.',
  rent: 'The landlord raises the rent by fifty pounds from September on.',
  tomatoes: 'Yusuf waters the tomatoes while we are away; the spare key is with him.',
  boiler: 'The boiler needs a pressure of one bar, topped up with the grey valve.',
  cake: 'Grandmother bakes plum cake every Sunday with fruit from her garden.',
  invoice: 'The invoice INV-20931 of the printing house is due at the end of the month.',
  router: 'Serial number of the router: FX7-QQ12-99Z, bought in March.',
} as const;

/** Adds all of them in one batch and waits until they are done. With `superrag` no memories are drawn from them. */
export const addTexts = async (
  api: Rest,
  containerTag: string,
  texts: readonly string[],
  taskType: 'memory' | 'superrag' = 'memory',
): Promise<string[]> => {
  const body = { documents: [...texts], containerTag, taskType };
  const { body: answer } = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', body);
  const ids = answer.results.map(({ id }) => id);
  for (const id of ids) await api.settled(id);
  return ids;
};
