// GitHub on loopback: repositories with trees and blobs as git makes them, webhooks, and the part of GraphQL that reads blobs.
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { RestEndpointMethodTypes } from '@octokit/rest';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';
import { createHookCalls, type HookCalls } from './support/hook-calls.ts';

type Rest = RestEndpointMethodTypes;
type User = Rest['users']['getAuthenticated']['response']['data'];
type Repository = Rest['repos']['listForAuthenticatedUser']['response']['data'][number];
type Tree = Rest['git']['getTree']['response']['data'];
type Blob = Rest['git']['getBlob']['response']['data'];
type Hook = Rest['repos']['createWebhook']['response']['data'];

export interface FakeRepository {
  readonly id: number;
  fullName: string;
  branch: string;
  isPrivate: boolean;
  /** The account may not see it. */
  isHidden: boolean;
  readonly files: Map<string, FakeFile>;
  readonly hooks: Map<number, FakeGitHook>;
}

export interface FakeFile {
  readonly content: Buffer;
  readonly mode: string;
}

export interface FakeGitHook {
  readonly url: string;
  secret: string;
  readonly events: readonly string[];
}

export interface FakeGitHub {
  readonly server: FakeServer;
  readonly token: string;
  readonly hookCalls: HookCalls;
  /** The bodies of queries to GraphQL, in order. */
  readonly queries: readonly string[];
  addRepository(fullName: string, files?: Readonly<Record<string, string | Buffer>>): FakeRepository;
  /** One commit that puts and removes files; null removes. */
  commit(repository: FakeRepository, changes: Readonly<Record<string, string | Buffer | null>>): void;
  link(repository: FakeRepository, path: string, target: string): void;
  rename(repository: FakeRepository, fullName: string): void;
  /** The blobs of these ids cannot be read. */
  forbidBlob(repository: FakeRepository, path: string): void;
  /** Trees with more files are cut. */
  cutTreesAt(files: number): void;
  allowHooks(allowed: boolean): void;
  revoke(): void;
  close(): Promise<void>;
}

const gitId = (type: string, content: Buffer): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');

interface State {
  readonly token: { value: string };
  readonly repositories: Map<number, FakeRepository>;
  /** Former names, which lead to the repository until another one takes them. */
  readonly formerNames: Map<string, number>;
  readonly commits: Map<string, { repository: number; files: Map<string, FakeFile> }>;
  readonly heads: Map<number, string>;
  readonly forbidden: Set<string>;
  /** By repository and id. */
  readonly blobs: Map<string, Buffer>;
  readonly queries: string[];
  readonly hookCalls: HookCalls;
  treeLimit: number;
  hooksAllowed: boolean;
  nextHook: number;
}

const absent: FakeAnswer = { status: 404, body: { message: 'Not Found', status: '404' } };

const repositoryBody = ({ id, fullName, branch, isPrivate }: FakeRepository) =>
  ({
    ...{ id, name: fullName.split('/')[1] ?? '', full_name: fullName, private: isPrivate },
    ...{
      html_url: `https://github.com/${fullName}`,
      description: `About ${fullName}`,
      default_branch: branch,
    },
    updated_at: '2026-11-01T10:00:00Z',
  }) satisfies Partial<Repository>;

const listRepositories = (state: State, url: URL): FakeAnswer => {
  const perPage = Number(url.searchParams.get('per_page') ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const visible = [...state.repositories.values()].filter(({ isHidden }) => !isHidden);
  const rows = visible.slice((page - 1) * perPage, page * perPage).map(repositoryBody);
  const hasNext = page * perPage < visible.length;
  const next = `<https://api.github.com/user/repos?per_page=${perPage}&page=${page + 1}>; rel="next"`;
  return { body: rows, headers: hasNext ? { link: next } : {} };
};

interface TreeNode {
  path: string;
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  size?: number;
}

/** The id of a folder of a commit: `<commit>` itself, or a hash of both. */
const folderId = (commit: string, folder: string): string =>
  folder === '' ? commit : gitId('tree', Buffer.from(`${commit}:${folder}`));

const nodesBelow = (files: Map<string, FakeFile>, commit: string, folder: string): TreeNode[] => {
  const prefix = folder === '' ? '' : `${folder}/`;
  const nodes = new Map<string, TreeNode>();
  for (const [path, { content, mode }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!path.startsWith(prefix)) continue;
    const below = path.slice(prefix.length);
    for (let at = below.indexOf('/'); at !== -1; at = below.indexOf('/', at + 1)) {
      const parent = below.slice(0, at);
      const sha = folderId(commit, prefix + parent);
      nodes.set(parent, { path: parent, mode: '040000', type: 'tree', sha });
    }
    const isModule = mode === '160000';
    const node: TreeNode = {
      path: below,
      mode,
      type: isModule ? 'commit' : 'blob',
      sha: gitId('blob', content),
    };
    nodes.set(below, isModule ? node : { ...node, size: content.length });
  }
  return [...nodes.values()];
};

const treeAnswer = (state: State, sha: string, recursive: boolean): FakeAnswer => {
  for (const [commit, { files }] of state.commits) {
    const folders = new Set(['']);
    for (const path of files.keys())
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
        folders.add(path.slice(0, at));
    for (const folder of folders) {
      if (folderId(commit, folder) !== sha) continue;
      const all = nodesBelow(files, commit, folder);
      const nodes = recursive ? all : all.filter(({ path }) => !path.includes('/'));
      const truncated = recursive && nodes.length > state.treeLimit;
      const tree = truncated ? nodes.slice(0, state.treeLimit) : nodes;
      return { body: { sha, truncated, tree, url: '' } satisfies Tree };
    }
  }
  return absent;
};

const findBlob = (state: State, { id }: FakeRepository, sha: string): Buffer | null =>
  state.forbidden.has(sha) ? null : (state.blobs.get(`${id}:${sha}`) ?? null);

const blobAnswer = (state: State, repository: FakeRepository, sha: string, accept: string): FakeAnswer => {
  const content = findBlob(state, repository, sha);
  if (content === null) return absent;
  if (accept.includes('raw')) return { body: content };
  const body: Blob = {
    ...{ sha, size: content.length, url: '', node_id: sha },
    ...{ encoding: 'base64', content: content.toString('base64') },
  };
  return { body };
};

const newestAnswer = (
  state: State,
  repository: FakeRepository,
  ref: string,
  request: FakeRequest,
): FakeAnswer => {
  const head = state.heads.get(repository.id);
  if (head === undefined) return { status: 409, body: { message: 'Git Repository is empty.' } };
  if (ref !== repository.branch) return { status: 422, body: { message: `No commit found for SHA: ${ref}` } };
  const etag = `"${head}"`;
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  if (request.headers.accept?.includes('sha') === true) return { body: head, headers: { etag } };
  return { body: { sha: head, files: [] }, headers: { etag } };
};

/** As GitHub signs it: over the bytes of the body. */
const callHook = (
  { hookCalls }: State,
  [id, { url, secret }]: [number, FakeGitHook],
  event: string,
  payload: object,
): Promise<unknown> => {
  const body = JSON.stringify(payload);
  return hookCalls.call({
    address: url,
    body,
    headers: {
      ...{
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/fake',
        'x-github-event': event,
      },
      ...{ 'x-github-delivery': randomUUID(), 'x-github-hook-id': String(id) },
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });
};

const hooksAnswer = (
  state: State,
  { hooks }: FakeRepository,
  id: string,
  request: FakeRequest,
): FakeAnswer => {
  if (!state.hooksAllowed)
    return { status: 403, body: { message: 'Resource not accessible by personal access token' } };
  const bodyOf = ([number, hook]: [number, FakeGitHook]) =>
    ({
      ...{ id: number, name: 'web', active: true, events: [...hook.events] },
      config: { url: hook.url, content_type: 'json', insecure_ssl: '0', secret: '********' },
    }) satisfies Partial<Hook>;
  if (request.method === 'GET') return { body: [...hooks].map(bodyOf) };
  if (request.method === 'DELETE') return hooks.delete(Number(id)) ? { status: 204 } : absent;
  const sent = JSON.parse(request.body);
  if (request.method === 'PATCH') {
    const hook = hooks.get(Number(id.split('/')[0]));
    if (hook === undefined) return absent;
    hook.secret = sent.secret;
    return { body: sent };
  }
  const { config, events } = sent as { config: { url: string; secret: string }; events: string[] };
  if ([...hooks.values()].some(({ url }) => url === config.url))
    return {
      status: 422,
      body: { message: 'Validation Failed', errors: [{ message: 'Hook already exists on this repository' }] },
    };
  const made: [number, FakeGitHook] = [state.nextHook++, { url: config.url, secret: config.secret, events }];
  hooks.set(...made);
  void callHook(state, made, 'ping', { zen: 'Keep it logically awesome.', hook_id: made[0] });
  return { status: 201, body: bodyOf(made) };
};

const LONGEST_TEXT = 512_000;

/** Of a query, what lies between the braces of each repository. */
const QUERY_REPOSITORY =
  /(\w+):\s*repository\(owner:\s*\$(\w+),\s*name:\s*\$(\w+)\)\s*\{((?:[^{}]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*)\}/g;
const QUERY_OBJECT = /(\w+):\s*object\(oid:\s*\$(\w+)\)/g;

const graphqlAnswer = (state: State, { body }: FakeRequest): FakeAnswer => {
  state.queries.push(body);
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, string> };
  const data: Record<string, Record<string, object | null> | null> = {};
  for (const [, alias = '', owner = '', name = '', objects = ''] of query.matchAll(QUERY_REPOSITORY)) {
    const repository = findRepository(state, `${variables[owner]}/${variables[name]}`);
    if (repository === null) {
      data[alias] = null;
      continue;
    }
    const found: Record<string, object | null> = {};
    for (const [, one = '', oid = ''] of objects.matchAll(QUERY_OBJECT)) {
      const content = findBlob(state, repository, variables[oid] ?? '');
      const isBinary = content?.subarray(0, 8_000).includes(0) ?? false;
      const isTruncated = (content?.length ?? 0) > LONGEST_TEXT;
      const text = isBinary ? null : (content?.toString('utf8').slice(0, LONGEST_TEXT) ?? null);
      found[one] = content === null ? null : { text, isBinary, isTruncated };
    }
    data[alias] = found;
  }
  return { body: { data } };
};

const findRepository = (state: State, name: string): FakeRepository | null => {
  const all = [...state.repositories.values()].filter(({ isHidden }) => !isHidden);
  return all.find(({ fullName }) => fullName === name) ?? null;
};

const answerRepository = (
  state: State,
  repository: FakeRepository,
  rest: string,
  request: FakeRequest,
): FakeAnswer => {
  const [, part = '', more = ''] = /^\/?([^/]*)\/?(.*)$/.exec(rest) ?? [];
  if (part === '') return { body: repositoryBody(repository) };
  if (part === 'commits') return newestAnswer(state, repository, decodeURIComponent(more), request);
  if (part === 'hooks') return hooksAnswer(state, repository, more, request);
  const [kind, sha = ''] = more.split('/');
  if (part === 'git' && kind === 'trees')
    return treeAnswer(state, sha, request.url.searchParams.has('recursive'));
  if (part === 'git' && kind === 'blobs')
    return blobAnswer(state, repository, sha, request.headers.accept ?? '');
  return absent;
};

const routeByName = (state: State, request: FakeRequest): FakeAnswer => {
  const [, name = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(request.url.pathname) ?? [];
  const repository = findRepository(state, name);
  if (repository !== null) return answerRepository(state, repository, rest, request);
  const former = state.formerNames.get(name);
  if (former === undefined || state.repositories.get(former)?.isHidden !== false) return absent;
  const location = `https://api.github.com/repositories/${former}${rest}${request.url.search}`;
  return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } };
};

const route = (state: State, request: FakeRequest): FakeAnswer => {
  const { pathname } = request.url;
  if (request.headers.authorization?.replace(/^(?:bearer|token) /i, '') !== state.token.value)
    return { status: 401, body: { message: 'Bad credentials', status: '401' } };
  if (pathname === '/user')
    return { body: { login: 'ann', id: 1, email: 'ann@example.org' } satisfies Partial<User> };
  if (pathname === '/user/repos') return listRepositories(state, request.url);
  if (pathname === '/graphql') return graphqlAnswer(state, request);
  if (pathname.startsWith('/repos/')) return routeByName(state, request);
  const [, id = '', rest = ''] = /^\/repositories\/(\d+)(.*)$/.exec(pathname) ?? [];
  const repository = state.repositories.get(Number(id));
  return repository === undefined || repository.isHidden
    ? absent
    : answerRepository(state, repository, rest, request);
};

const commit = (
  state: State,
  repository: FakeRepository,
  changes: Readonly<Record<string, string | Buffer | null>>,
): void => {
  for (const [path, content] of Object.entries(changes))
    if (content === null) repository.files.delete(path);
    else repository.files.set(path, { content: Buffer.from(content), mode: '100644' });
  noteCommit(state, repository);
};

const noteCommit = (state: State, repository: FakeRepository): void => {
  const { id, files } = repository;
  const before = state.heads.get(id);
  const head = gitId('commit', randomBytes(16));
  state.commits.set(head, { repository: id, files: new Map(files) });
  for (const { content } of files.values()) state.blobs.set(`${id}:${gitId('blob', content)}`, content);
  state.heads.set(id, head);
  const payload = {
    ref: `refs/heads/${repository.branch}`,
    before,
    after: head,
    repository: repositoryBody(repository),
  };
  for (const hook of repository.hooks) void callHook(state, hook, 'push', payload);
};

const createControls = (
  state: State,
): Omit<FakeGitHub, 'server' | 'token' | 'queries' | 'hookCalls' | 'close'> => ({
  addRepository(fullName, files = {}) {
    const id = 1_000 + state.repositories.size;
    const repository: FakeRepository = {
      ...{ id, fullName, branch: 'main', isPrivate: false, isHidden: false },
      ...{ files: new Map(), hooks: new Map() },
    };
    state.repositories.set(id, repository);
    if (Object.keys(files).length > 0) commit(state, repository, files);
    return repository;
  },
  commit: (repository, changes) => commit(state, repository, changes),
  link(repository, path, target) {
    repository.files.set(path, { content: Buffer.from(target), mode: '120000' });
    noteCommit(state, repository);
  },
  rename(repository, fullName) {
    state.formerNames.set(repository.fullName, repository.id);
    repository.fullName = fullName;
  },
  forbidBlob(repository, path) {
    const file = repository.files.get(path);
    if (file !== undefined) state.forbidden.add(gitId('blob', file.content));
  },
  cutTreesAt(files) {
    state.treeLimit = files;
  },
  allowHooks(allowed) {
    state.hooksAllowed = allowed;
  },
  revoke() {
    state.token.value = `another-${randomBytes(8).toString('hex')}`;
  },
});

export const startFakeGitHub = async (): Promise<FakeGitHub> => {
  const token = `github_pat_${randomBytes(12).toString('hex')}`;
  const state: State = {
    ...{ token: { value: token }, repositories: new Map(), formerNames: new Map(), commits: new Map() },
    ...{ heads: new Map(), forbidden: new Set<string>(), blobs: new Map(), queries: [], treeLimit: 100_000 },
    hookCalls: createHookCalls(),
    ...{ hooksAllowed: true, nextHook: 1 },
  };
  const server = await startFakeServer((request) => route(state, request));
  return {
    ...{ server, token, queries: state.queries, hookCalls: state.hookCalls, close: server.close },
    ...createControls(state),
  };
};
