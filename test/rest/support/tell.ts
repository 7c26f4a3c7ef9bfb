// Short ways to say what a caller does with memories over REST.
import { expect } from 'vitest';
import { storedRows } from '../../support/stored-rows.ts';
import type { Refusal, Rest } from './use-memoir.ts';

export interface MemoryBody {
  id: string;
  memory: string;
  isStatic: boolean;
  createdAt: string;
  forgetAfter: string | null;
  forgetReason: string | null;
  metadata: Record<string, unknown> | null;
}

export interface EntryBody extends MemoryBody {
  version: number;
  isLatest: boolean;
  isForgotten: boolean;
  isInference: boolean;
  updatedAt: string;
  spaceId: string;
  orgId: string;
  sourceCount: number;
  parentMemoryId: string | null;
  rootMemoryId: string | null;
  memoryRelations: Record<string, string> | null;
  temporalContext: Record<string, unknown> | null;
  history: { id: string; memory: string; version: number; isLatest: boolean }[];
  documentIds: string[];
}

export interface MemoryListBody {
  memoryEntries: EntryBody[];
  pagination: { currentPage: number; totalItems: number; totalPages: number; limit: number };
}

export interface Created {
  documentId: string;
  memories: MemoryBody[];
}

type Fields = Record<string, unknown>;
type As = { key?: string | null };

export const PATH = '/v4/memories';

/** Creates memories, expects that they are taken. */
export const create = async (
  api: Rest,
  tag: string,
  memories: readonly (string | Fields)[],
  as?: As,
): Promise<Created> => {
  const fields = memories.map((one) => (typeof one === 'string' ? { content: one } : one));
  const answer = await api.ask<Created & Refusal>('POST', PATH, { containerTag: tag, memories: fields }, as);
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return answer.body;
};

/** Adds a document and waits until it has been read for memories; its id. */
export const readForMemories = async (
  api: Rest,
  containerTag: string,
  content: string,
  more: Fields = {},
): Promise<string> => {
  const { id } = await api.add({ content, containerTag, ...more });
  await api.memoir.remembered(id);
  return id;
};

/** Makes a memory a guess, as only a model does. */
export const asGuess = async ({ memoir }: Pick<Rest, 'memoir'>, id: string): Promise<void> => {
  await storedRows(memoir, 'update memories set is_inference = 1 where id = ?', id);
};

/** Creates one. */
export const tell = async (
  api: Rest,
  tag: string,
  content: string,
  more: Fields = {},
): Promise<MemoryBody> => {
  const { memories } = await create(api, tag, [{ content, ...more }]);
  const [memory] = memories;
  if (memory === undefined) throw new Error('Nothing was created.');
  return memory;
};

export const listMemories = async (
  api: Rest,
  tag: string | string[],
  more: Fields = {},
  as?: As,
): Promise<MemoryListBody> => {
  const asked = { containerTags: [tag].flat(), limit: 1100, order: 'asc', ...more };
  const answer = await api.ask<MemoryListBody & Refusal>('POST', `${PATH}/list`, asked, as);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
};

/** The memories under the tag: latest, and not forgotten. */
export const remembered = async (api: Rest, tag: string): Promise<string[]> =>
  (await listMemories(api, tag)).memoryEntries
    .filter(({ isForgotten }) => !isForgotten)
    .map(({ memory }) => memory);

/** The memories that a search finds. */
export const recalled = async (api: Rest, tag: string, q: string, more: Fields = {}): Promise<string[]> => {
  const asked = { q, containerTag: tag, limit: 100, ...more };
  const answer = await api.ask<{ results: { memory?: string }[] }>('POST', '/v4/search', asked);
  expect(answer.status).toBe(200);
  return answer.body.results.flatMap(({ memory }) => memory ?? []);
};

/** An id as the contract has them. */
export const ID = /^[1-9A-HJ-NP-Za-km-z]{22}$/;
/** 22 characters as ids have them, and nothing. */
export const NOBODY = '1ChDvHAMGsTYotPNsRQ1Zw';
