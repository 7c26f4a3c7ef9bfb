// A whole Memoir for one test file, and short ways to say what a caller does over REST.
import { afterAll, beforeAll } from 'vitest';
import type { MemoirOptions } from '../../../server/app/options.ts';
import { type Answer, type OwnMemoir, startMemoir, type TestMemoir } from '../../support/memoir.ts';
import { useServer } from '../../support/use-server.ts';

export interface DocumentBody {
  id: string;
  customId: string | null;
  content: string | null;
  title: string | null;
  summary: string | null;
  raw: unknown;
  type: string;
  url: string | null;
  filepath: string | null;
  taskType: string;
  latestRevision: number;
  metadata: Record<string, unknown> | null;
  containerTags: string[];
  status: string;
  step: string;
  progress: { done: number; total: number; unit: string } | null;
  failure: { code: string; message: string; retryable: boolean } | null;
  note: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ChunksBody {
  documentId: string;
  total: number;
  chunks: { id: string; position: number; content: string; type: string; createdAt: string }[];
}

export interface ListBody {
  memories: DocumentBody[];
  pagination: { currentPage: number; totalItems: number; totalPages: number; limit: number };
}

export interface Refusal {
  error: string;
  details?: string;
}

interface SearchBody {
  results: { chunks: { content: string }[] }[];
}

type Fields = Record<string, unknown>;
type As = { key?: string | null };

export interface Rest {
  readonly memoir: TestMemoir;
  ask<T = Fields>(method: string, path: string, body?: unknown, as?: As): Promise<Answer<T>>;
  post(body: Fields, as?: As): Promise<Answer<{ id: string; status: string } & Refusal>>;
  patch(ref: string, body: Fields, as?: As): Promise<Answer<{ id: string; status: string } & Refusal>>;
  remove(ref: string, as?: As): Promise<Answer<Refusal>>;
  /** Adds, expects that it is taken, and waits until it is done or failed. */
  add(body: Fields, as?: As): Promise<DocumentBody>;
  settled(ref: string): Promise<DocumentBody>;
  read(ref: string, as?: As): Promise<DocumentBody>;
  chunks(ref: string): Promise<ChunksBody['chunks']>;
  /** The texts of its chunks. */
  texts(ref: string): Promise<string[]>;
  list(body?: Fields, as?: As): Promise<ListBody>;
  /** Passages that hold these words, found by words alone so that nothing merely similar comes back. */
  found(words: string, tag: string, more?: Fields): Promise<string[]>;
  /** The ids of the documents that hold these words. */
  holders(words: string, tag: string, more?: Fields): Promise<string[]>;
  /** A container tag that no other test uses. */
  newTag(): string;
}

export interface OwnRest extends Rest {
  readonly memoir: OwnMemoir;
}

export const pathOf = (ref: string): string => `/v3/documents/${encodeURIComponent(ref)}`;

const ok = <T>(what: string, { status, body }: Answer<T>): T => {
  if (status !== 200) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Of this worker: files that share a server have tags of their own. */
let files = 0;

const restOver = <M extends TestMemoir>(memoir: () => M): Rest & { readonly memoir: M } => {
  const file = ++files;
  let tags = 0;
  const ask: Rest['ask'] = (method, path, body, as) => memoir().ask(method, path, body, as);
  const settled = async (ref: string) => (await memoir().settled(ref)) as unknown as DocumentBody;
  const chunks = async (ref: string) =>
    ok(`chunks of ${ref}`, await ask<ChunksBody>('GET', `${pathOf(ref)}/chunks`)).chunks;
  const post: Rest['post'] = (body, as) => ask('POST', '/v3/documents', body, as);
  return {
    get memoir() {
      return memoir();
    },
    ask,
    post,
    patch: (ref, body, as) => ask('PATCH', pathOf(ref), body, as),
    remove: (ref, as) => ask('DELETE', pathOf(ref), undefined, as),
    add: async (body, as) => settled(ok('add', await post(body, as)).id),
    settled,
    read: async (ref, as) => ok(`read of ${ref}`, await ask<DocumentBody>('GET', pathOf(ref), undefined, as)),
    chunks,
    texts: async (ref) => (await chunks(ref)).map(({ content }) => content),
    list: async (body = {}, as = {}) =>
      ok('list', await ask<ListBody>('POST', '/v3/documents/list', body, as)),
    async found(words, tag, more = {}) {
      const asked = { q: words, containerTag: tag, searchMode: 'keyword', limit: 100, ...more };
      const { results } = ok('search', await ask<SearchBody>('POST', '/v3/search', asked));
      return results.flatMap((result) => result.chunks.map(({ content }) => content));
    },
    async holders(words, tag, more = {}) {
      const asked = { q: words, containerTag: tag, searchMode: 'keyword', limit: 100, ...more };
      const answer = await ask<{ results: { documentId: string }[] }>('POST', '/v3/search', asked);
      return ok('search', answer).results.map(({ documentId }) => documentId);
    },
    newTag: () => `tag-${file}-${++tags}`,
  };
};

/** Over the server that all files of this worker share: each test keeps to tags of its own. */
export const useMemoir = (): Rest => {
  const server = useServer();
  return restOver(() => server);
};

/** Over a server that starts before the tests of the file and ends after them. */
export const useOwnMemoir = (
  env: () => Record<string, string> = () => ({}),
  options: MemoirOptions = {},
): OwnRest => {
  let running: OwnMemoir | undefined;
  beforeAll(async () => {
    running = await startMemoir(env(), options);
  });
  afterAll(() => running?.close());
  return restOver(() => {
    if (!running) throw new Error('Memoir runs inside tests only.');
    return running;
  });
};
