// The calls of the bench of memories to the service.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../retrieval/client.ts';

export interface Entry {
  id: string;
  memory: string;
  isLatest: boolean;
  isForgotten: boolean;
  forgetAfter: string | null;
  metadata: { temporalContext?: { eventDate?: string[] } } | null;
  memoryRelations: Record<string, string> | null;
}

export interface Known {
  entries: Entry[];
  /** The relations between them: from, kind, to. */
  relations: [string, string, string][];
}

export interface Found {
  /** A memory, or the text of a passage. */
  text: string;
  isMemory: boolean;
}

export interface Profile {
  static: string[];
  dynamic: string[];
}

export interface MemoryClient {
  known(tag: string): Promise<Known>;
  countIn(tag: string): Promise<number>;
  profile(tag: string): Promise<Profile>;
  search(asked: Record<string, unknown>): Promise<Found[]>;
  create(asked: Record<string, unknown>): Promise<void>;
  /** The memories that a dry run of forget-matching names. */
  wouldForget(asked: Record<string, unknown>): Promise<string[]>;
}

interface Graph {
  documents: { memoryEntries: Entry[] }[];
}

const PAGE = 1000;

export const createMemoryClient = ({ url, key }: Address): MemoryClient => {
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status === 429) {
      await sleep(1000 * (Number(response.headers.get('retry-after')) || 1));
      return post(path, body);
    }
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    async known(tag) {
      const graph = await post<Graph>('/v3/documents/documents', { containerTags: [tag], limit: 100 });
      const listed = await post<{ memoryEntries: Entry[] }>('/v4/memories/list', {
        containerTags: [tag],
        limit: PAGE,
      });
      const all = [...graph.documents.flatMap(({ memoryEntries }) => memoryEntries), ...listed.memoryEntries];
      const entries = [...new Map(all.map((entry) => [entry.id, entry])).values()];
      const relations = entries.flatMap(({ id, memoryRelations }) =>
        Object.entries(memoryRelations ?? {}).map(([other, kind]): [string, string, string] => [
          id,
          kind,
          other,
        ]),
      );
      return { entries, relations };
    },
    async countIn(tag) {
      const asked = { containerTags: [tag], limit: 1 };
      const { pagination } = await post<{ pagination: { totalItems: number } }>('/v4/memories/list', asked);
      return pagination.totalItems;
    },
    async profile(tag) {
      const { profile } = await post<{ profile: Partial<Profile> }>('/v4/profile', { containerTag: tag });
      return { static: profile.static ?? [], dynamic: profile.dynamic ?? [] };
    },
    async search(asked) {
      const { results } = await post<{ results: { memory?: string; chunk?: string }[] }>('/v4/search', asked);
      return results.map(({ memory, chunk }) => ({
        text: memory ?? chunk ?? '',
        isMemory: memory !== undefined,
      }));
    },
    async create(asked) {
      await post('/v4/memories', asked);
    },
    async wouldForget(asked) {
      const { candidates } = await post<{ candidates: { memory: string }[] }>(
        '/v4/memories/forget-matching',
        asked,
      );
      return candidates.map(({ memory }) => memory);
    },
  };
};
