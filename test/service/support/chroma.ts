// Looking at the Chroma beside a Memoir from outside: its process, and what it holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ChromaProcess {
  readonly pid: number;
  readonly url: string;
}

const argumentsOf = (pid: string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** The child that serves this data folder; null while there is none. Linux alone tells it like this. */
export const chromaOf = (dataDir: string): ChromaProcess | null => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const given = argumentsOf(pid);
    const at = given.indexOf(join(dataDir, 'chroma'));
    if (at > 0 && given[at - 1]?.includes('server/server-process'))
      return { pid: Number(pid), url: `http://127.0.0.1:${given[at + 1]}` };
  }
  return null;
};

/** Fails where none runs: a signal to the process 0 would reach every process of the test run. */
export const runningChroma = (dataDir: string): ChromaProcess => {
  const chroma = chromaOf(dataDir);
  if (chroma === null) throw new Error(`No Chroma runs over ${dataDir}.`);
  return chroma;
};

const COLLECTIONS = '/api/v2/tenants/default_tenant/databases/default_database/collections';
const PAGE = 5000;

const answerOf = async (url: string, init?: RequestInit): Promise<unknown> => {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`Chroma answered ${response.status}: ${await response.text()}`);
  return response.json();
};

interface Collection {
  id: string;
  name: string;
  dimension: number | null;
}

export const collectionsOf = async (url: string): Promise<Collection[]> =>
  (await answerOf(url + COLLECTIONS)) as Collection[];

/** The chunk numbers that a collection holds, in order. */
export const heldBy = async (url: string, { id }: Pick<Collection, 'id'>): Promise<number[]> => {
  const held: number[] = [];
  for (;;) {
    const { ids } = (await answerOf(`${url}${COLLECTIONS}/${id}/get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ limit: PAGE, offset: held.length, include: [] }),
    })) as { ids: string[] };
    held.push(...ids.map(Number));
    if (ids.length < PAGE) return held.sort((a, b) => a - b);
  }
};

export const drop = async (url: string, name: string): Promise<void> => {
  await fetch(`${url}${COLLECTIONS}/${name}`, { method: 'DELETE' });
};

/** The content of the only collection. */
export const heldNumbers = async (url: string): Promise<number[]> => {
  const [only, ...others] = await collectionsOf(url);
  if (!only || others.length > 0)
    throw new Error(`One collection was expected, not ${others.length + (only ? 1 : 0)}.`);
  return heldBy(url, only);
};

export interface ChromaRecord {
  id: string;
  metadata: unknown;
  document: unknown;
}

/** The first records of a collection, with everything that Chroma keeps beside a vector. */
export const recordsOf = async (url: string, { id }: Pick<Collection, 'id'>): Promise<ChromaRecord[]> => {
  const { ids, metadatas, documents } = (await answerOf(`${url}${COLLECTIONS}/${id}/get`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ limit: PAGE, include: ['metadatas', 'documents', 'uris'] }),
  })) as { ids: string[]; metadatas: unknown[]; documents: unknown[] };
  return ids.map((one, at) => ({ id: one, metadata: metadatas[at], document: documents[at] }));
};
