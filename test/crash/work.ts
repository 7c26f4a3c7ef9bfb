// The common part of all actions of a client.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../adapters/store/contract/chance.ts';
import type { Ask } from './api.ts';
import { isLive, type Place, type Story } from './stories.ts';

/** Actions that start work in the background, at the moment of their answer. */
export type Deed = 'telling' | 'forgetting' | 'merge' | 'deletion of a tag' | 'retry';

export interface Work {
  ask: Ask;
  chance: Chance;
  stories: Story[];
  places: Place[];
  /** A unique word: letters first, so that every tokeniser reads it as one word. */
  token: () => string;
  name: string;
  heard: (deed: Deed) => void;
  /** So many documents run again. */
  retried: (count: number) => void;
}

const FILLER = 'the quick brown fox jumps over the lazy dog while rain falls on the old harbour town';

const plainText = (token: string, chance: Chance): string =>
  Array.from({ length: 1 + chance.below(4) }, (_, at) =>
    at === 0 ? `About ${token}: ${FILLER}.` : `${FILLER} `.repeat(1 + chance.below(12)),
  ).join('\n\n');

export const pageOf = (token: string): string =>
  `<!doctype html><html><head><title>Page</title></head><body><nav><a href="/">Home</a></nav>
   <article><h1>A page</h1><p>This page speaks of ${token}. ${`${FILLER}. `.repeat(6)}</p></article></body></html>`;

export const textOf = (token: string, chance: Chance): string =>
  chance.below(12) === 0 ? pageOf(token) : plainText(token, chance);

export const accept = async (ask: Ask, method: string, path: string, body: unknown): Promise<string> => {
  const answer = await ask<{ id: string }>(method, path, body);
  if (answer.status !== 200)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};

export const live = <K extends Story['kind']>(
  { stories, chance }: Work,
  kind: K,
): Extract<Story, { kind: K }> | undefined =>
  chance.pick(stories.filter((story) => story.kind === kind && isLive(story) && story.deletion === 'no')) as
    | Extract<Story, { kind: K }>
    | undefined;

export const addAll = async <S extends Story>(
  ask: Ask,
  stories: readonly S[],
  content: (story: S) => string,
): Promise<void> => {
  const documents = stories.map((story) => ({ content: content(story), containerTags: story.tags }));
  const answer = await ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', { documents });
  if (answer.status !== 200)
    throw new Error(`A batch answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  for (const [at, story] of stories.entries()) story.id = answer.body.results[at]?.id || null;
};

export type Acknowledged = Story & { id: string };

export const isAcknowledged = (story: Story): story is Acknowledged => story.id !== null;

export const deleteStory = async ({ ask }: Work, story: Acknowledged): Promise<void> => {
  story.deletion = 'asked';
  const { status } = await ask('DELETE', `/v3/documents/${encodeURIComponent(story.id)}`);
  if (status !== 204) throw new Error(`DELETE of ${story.id} answered ${status}`);
  story.deletion = 'done';
};

export const pause = (chance: Chance, longestMs: number): Promise<void> => sleep(chance.below(longestMs));
