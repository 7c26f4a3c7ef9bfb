// A client of the service: adds, waits until all documents are done, searches, deletes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sent } from './sent.ts';

export interface Address {
  url: string;
  key: string;
}

export interface Asking {
  mode: string;
  /** Undefined: the default of the service. */
  window: number | undefined;
  limit: number;
  rerank: boolean;
  /** Undefined: the default of the service. */
  threshold: number | undefined;
}

export interface Found {
  text: string;
  metadata: Readonly<Record<string, unknown>>;
}

export interface Answer {
  found: readonly Found[];
  /** False: notes say that the results were not reranked, or only the first of them. */
  isReranked: boolean;
}

export interface Client {
  add(tag: string, document: Sent): Promise<string>;
  /** Waits until all documents are done and read for memories. */
  done(ids: readonly string[]): Promise<void>;
  search(tag: string, q: string, asking: Asking): Promise<Answer>;
  forgetTag(tag: string): Promise<void>;
}

const POLL_MS = 50;
const DONE_LIMIT_MS = 1_800_000;
const MOST_RETRIES = 60;

interface Answered {
  results: { content: string; passage?: { content: string }; metadata: Record<string, unknown> | null }[];
  notes?: { about: string }[];
}

export function createClient({ url, key }: Address): Client {
  async function call(method: string, path: string, body?: unknown, tries = 0): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 429 && tries < MOST_RETRIES) {
      await sleep(1000 * (Number(response.headers.get('retry-after')) || 1));
      return call(method, path, body, tries + 1);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }

  async function isDone(id: string): Promise<boolean> {
    const read = await call('GET', `/v3/documents/${encodeURIComponent(id)}`);
    const { status, dreamingStatus = 'done' } = read as { status: string; dreamingStatus?: string };
    if (status === 'failed') throw new Error(`The document ${id} failed.`);
    return status === 'done' && dreamingStatus === 'done';
  }

  return {
    async add(tag, document) {
      const added = await call('POST', '/v3/documents', { ...document, containerTag: tag });
      return (added as { id: string }).id;
    },
    async done(ids) {
      const end = performance.now() + DONE_LIMIT_MS;
      for (const id of ids) {
        while (!(await isDone(id))) {
          if (performance.now() > end) throw new Error(`The document ${id} is still not done.`);
          await sleep(POLL_MS);
        }
      }
    },
    async search(tag, q, { mode, ...asking }) {
      const answer = await call('POST', '/v4/search', { q, containerTag: tag, searchMode: mode, ...asking });
      const { results, notes = [] } = answer as Answered;
      return {
        found: results.map(({ content, passage, metadata }) => ({
          text: passage === undefined ? content : `${content}\n${passage.content}`,
          metadata: metadata ?? {},
        })),
        isReranked: notes.every(({ about }) => about !== 'rerank'),
      };
    },
    async forgetTag(tag) {
      await call('DELETE', '/v3/documents/bulk', { containerTags: [tag] });
    },
  };
}
