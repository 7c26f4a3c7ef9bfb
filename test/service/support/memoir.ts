// Questions that tests of the whole service ask again and again.
import type { TestMemoir } from '../../support/memoir.ts';
import { until } from '../../support/until.ts';
import { chromaOf, heldNumbers } from './chroma.ts';
import { unitNumbers } from './database.ts';

export interface SearchResult {
  id: string;
  memory?: string;
  chunk?: string;
  similarity: number;
}

export interface Searched {
  status: number;
  error: string | undefined;
  results: SearchResult[];
}

type Fields = Record<string, unknown>;

/** Everything that ranks, however little it is worth: what is looked for is the way and not the threshold. */
export const search = async (memoir: TestMemoir, q: string, more: Fields = {}): Promise<Searched> => {
  const { status, body } = await memoir.ask<{ results?: SearchResult[]; error?: string }>(
    'POST',
    '/v4/search',
    { q, searchMode: 'semantic', threshold: 0, limit: 10, ...more },
  );
  return { status, error: body.error, results: body.results ?? [] };
};

export const textsOf = ({ results }: Pick<Searched, 'results'>): string[] =>
  results.map(({ memory, chunk }) => memory ?? chunk ?? '');

export interface HealthBody {
  status: string;
  ready: boolean;
  parts: Record<'store' | 'queue' | 'chroma' | 'embedder', { status: string; detail?: string }>;
}

export const health = async (memoir: TestMemoir): Promise<{ status: number; body: HealthBody }> => {
  const { status, body } = await memoir.ask<HealthBody>('GET', '/health');
  return { status, body };
};

export interface SpacesBody {
  active: { embedder: string; model: string; dimensions: number; answering: boolean } | null;
  wanted: { embedder: string; model: string; dimensions: number | null };
  reindexNeeded: boolean;
  reindexing: { done: number; total: number } | null;
  trouble: string | null;
}

export const spaces = async (memoir: TestMemoir): Promise<SpacesBody> =>
  (await memoir.ask<SpacesBody>('GET', '/v3/spaces')).body;

const MOST_IN_A_BATCH = 600;

/** Adds documents in batches, and answers with their ids. */
export const addAll = async (memoir: TestMemoir, documents: readonly Fields[]): Promise<string[]> => {
  const ids: string[] = [];
  for (let at = 0; at < documents.length; at += MOST_IN_A_BATCH) {
    const part = documents.slice(at, at + MOST_IN_A_BATCH);
    const { status, body } = await memoir.ask<{ results: { id: string; status: string }[] }>(
      'POST',
      '/v3/documents/batch',
      { documents: part },
    );
    if (status !== 200) throw new Error(`The batch answered ${status}: ${JSON.stringify(body)}`);
    ids.push(...body.results.map(({ id }) => id));
  }
  return ids;
};

/** Until nothing is on its way to the vector index and every part is well. */
export const settledWhole = async (memoir: TestMemoir, withinMs = 60_000): Promise<number> => {
  let last: HealthBody | undefined;
  const holds = async () => {
    last = (await health(memoir)).body;
    const queue = last.parts.queue.detail ?? '';
    return (
      last.status === 'ok' && queue.startsWith('0 queued') && queue.includes(' 0 vectors waiting for Chroma')
    );
  };
  return await until('an index that has everything', holds, withinMs, () => JSON.stringify(last));
};

/** Until the index holds what SQL says, number for number; at this address, or where the own child is. */
export const indexAgrees = (dataDir: string, url = () => chromaOf(dataDir)?.url ?? ''): Promise<number> =>
  until('an index that agrees with SQL', async () => {
    const held = await heldNumbers(url()).catch(() => []);
    return held.length > 0 && held.join() === unitNumbers(dataDir).join();
  });
