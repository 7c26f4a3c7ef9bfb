// Texts of repositories on GitHub. A look asks each chosen repository for its newest commit and, if that is another one,
// lists the tree of files: one listing is exact for edits, renames, removals, force pushes and other branches.
import { extname, posix } from 'node:path';
import { z } from 'zod';
import { answerAs, askAs } from './answer-shape.ts';
import { isSignedBody } from './hook-signature.ts';
import { sourceKind } from './kind.ts';
import type {
  Choice,
  ChosenResource,
  Grant,
  HookDelivery,
  HookVerdict,
  LookPage,
  OpenSource,
  ReadItem,
  RefusalVerdict,
  Resource,
  Seen,
  Skip,
  SourceAnswer,
  SourceJson,
  SourceTools,
  Taken,
  Watch,
} from './port.ts';
import { SourceError } from './source-error.ts';

/** The published endings; metadata.extensions adds others. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.mdx': 'text/markdown',
  '.markdown': 'text/markdown',
  '.txt': 'text/plain',
  '.rst': 'text/plain',
  '.adoc': 'text/plain',
  '.org': 'text/plain',
};
const MOST_FILE_BYTES = 10 * 1024 * 1024;
/** GraphQL cuts longer texts, so these are read one by one. */
const MOST_TOGETHER_BYTES = 512_000;
/** Of one answer, which is read as a whole. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
const MOST_TOGETHER = 50;
/** More would make the cursor too large. */
const MOST_REPOSITORIES = 250;
const PAGE = 1_000;
const NAMES_LAST_MS = 24 * 60 * 60_000;
/** Access may be lost by mistake, as when a repository is private for an afternoon. */
const LOST_AFTER_MS = 7 * 24 * 60 * 60_000;
const LFS_MARK = 'version https://git-lfs.github.com/spec/';
/** Of a file, for the decision between text and other content; git decides by the same number of bytes. */
const HEAD_BYTES = 8_000;

const REPOSITORY = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string().regex(/^[^/]+\/[^/]+$/),
  html_url: z.string(),
  default_branch: z.string(),
  private: z.boolean(),
  description: z.string().nullish(),
  updated_at: z.string().nullish(),
});
type Repository = z.output<typeof REPOSITORY>;

const TREE = z.object({
  truncated: z.boolean().default(false),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().optional(),
    }),
  ),
});
type TreeEntry = z.output<typeof TREE>['tree'][number];

const BLOBS = z.object({
  data: z
    .record(
      z.string(),
      z
        .record(
          z.string(),
          z
            .object({
              text: z.string().nullish(),
              isBinary: z.boolean().nullish(),
              isTruncated: z.boolean().nullish(),
            })
            .nullable(),
        )
        .nullable(),
    )
    .nullish(),
  errors: z.array(z.object({ type: z.string().optional(), message: z.string().optional() })).optional(),
});

/** Of a repository, from one look to the next. */
const REPOSITORY_STATE = z.object({
  name: z.string(),
  branch: z.string(),
  /** Of the newest commit; null: list the files although there may be no new commit. */
  etag: z.string().nullable(),
  /** When name and default branch were asked for. */
  askedAt: z.number(),
  lostSince: z.number().nullable(),
});
type RepositoryState = z.output<typeof REPOSITORY_STATE>;

const CURSOR = z.object({
  version: z.literal(1),
  /** The endings that were listed: with others, every repository is listed anew. */
  endings: z.string(),
  repositories: z.record(z.string(), REPOSITORY_STATE),
  /** The last repository of this look that is done. */
  after: z.string().nullable(),
  /** The repository whose files were shown in part. */
  part: z.object({ id: z.string(), head: z.string(), shown: z.int() }).nullable(),
});
type Cursor = z.output<typeof CURSOR>;

const HOW = z.object({ repository: z.string(), name: z.string(), sha: z.string(), size: z.number() });

const isHost = (host: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i.test(host);

const hostOption = ({ metadata }: Grant): string | null =>
  typeof metadata.host === 'string' && metadata.host !== '' && metadata.host !== 'github.com'
    ? metadata.host
    : null;

interface Api {
  readonly rest: string;
  readonly graphql: string;
}

const apiOf = (grant: Grant): Api => {
  const host = hostOption(grant);
  return host === null
    ? { rest: 'https://api.github.com', graphql: 'https://api.github.com/graphql' }
    : { rest: `https://${host}/api/v3`, graphql: `https://${host}/api/graphql` };
};

const endingsOf = ({ metadata }: Grant): string[] => {
  const more = typeof metadata.extensions === 'string' ? metadata.extensions.split(/[\s,]+/) : [];
  const endings = more.filter((one) => one !== '').map((one) => `.${one.replace(/^\./, '').toLowerCase()}`);
  return [...new Set([...Object.keys(TEXT_TYPES), ...endings])].sort();
};

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

interface GitHub {
  readonly api: Api;
  readonly endings: readonly string[];
  readonly tools: SourceTools;
}

const isAbsent = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'not_found' || error.code === 'forbidden');

/** Null: it is gone, or the account may not see it any more. */
const findRepository = async (
  { api, tools }: GitHub,
  id: string,
  signal: AbortSignal,
): Promise<Repository | null> => {
  const request = { headers: HEADERS, accept: [404, 410, 451], template: '/repositories/{id}' };
  try {
    const answer = await tools.ask(`${api.rest}/repositories/${encodeURIComponent(id)}`, request, signal);
    if (answer.status < 400) return await answerAs(answer, REPOSITORY, 'a repository');
    answer.discard();
    return null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

/** `head`: the id of the newest commit; null: there is none, or no such branch. */
type Newest =
  | { readonly kind: 'same'; readonly address: string }
  | { readonly kind: 'other'; readonly head: string | null; readonly etag: string | null };

const askNewest = async (
  { api, tools }: GitHub,
  { name, branch, etag }: Pick<RepositoryState, 'name' | 'branch' | 'etag'>,
  signal: AbortSignal,
): Promise<Newest | null> => {
  const address = `${api.rest}/repos/${name}/commits/${encodeURIComponent(branch)}`;
  const request = {
    headers: {
      ...HEADERS,
      // The id alone: a whole commit has the differences of up to 300 files.
      accept: 'application/vnd.github.sha',
      ...(etag === null ? {} : { 'if-none-match': etag }),
    },
    accept: [304, 404, 409, 422, 451],
    template: '/repos/{owner}/{name}/commits/{branch}',
  };
  let answer: SourceAnswer;
  try {
    answer = await tools.ask(address, request, signal);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  if (answer.status === 304) {
    answer.discard();
    return { kind: 'same', address: answer.url };
  }
  if (answer.status >= 400) {
    answer.discard();
    // An empty repository, or a branch that was renamed.
    if (answer.status === 409 || answer.status === 422) return { kind: 'other', head: null, etag: null };
    return null;
  }
  const head = (await answer.text()).trim();
  if (!/^[0-9a-f]{40,64}$/.test(head))
    throw new SourceError('bad_answer', `GitHub named no commit for ${name}. It is asked again later.`);
  return { kind: 'other', head, etag: answer.headers.etag ?? null };
};

const askTree = (
  { api, tools }: GitHub,
  name: string,
  { sha, whole }: { sha: string; whole: boolean },
  signal: AbortSignal,
) =>
  askAs(tools.ask, `${api.rest}/repos/${name}/git/trees/${sha}${whole ? '?recursive=1' : ''}`, {
    ...{ shape: TREE, what: 'a tree of files', signal },
    request: { headers: HEADERS, template: '/repos/{owner}/{name}/git/trees/{sha}' },
  });

/** All files below a tree in a fixed order. A tree that is too large for one answer is walked folder by folder. */
async function* treeFiles(
  github: GitHub,
  name: string,
  { sha, prefix }: { sha: string; prefix: string },
  signal: AbortSignal,
): AsyncGenerator<TreeEntry> {
  const below = await askTree(github, name, { sha, whole: true }, signal);
  if (!below.truncated) {
    for (const entry of below.tree) if (entry.type === 'blob') yield { ...entry, path: prefix + entry.path };
    return;
  }
  const { tree, truncated } = await askTree(github, name, { sha, whole: false }, signal);
  if (truncated)
    throw new SourceError(
      'refused',
      `A single folder of ${name} has more files than GitHub lists (${prefix || '/'}). Choose another repository.`,
    );
  for (const entry of tree) {
    const path = prefix + entry.path;
    if (entry.type === 'blob') yield { ...entry, path };
    if (entry.type === 'tree') yield* treeFiles(github, name, { sha: entry.sha, prefix: `${path}/` }, signal);
  }
}

const LINK = '120000';

const skipOf = (entry: TreeEntry): Skip | null => {
  if (entry.mode === LINK) return { code: 'link', message: `${entry.path} is a link to another file.` };
  if ((entry.size ?? 0) <= MOST_FILE_BYTES) return null;
  return { code: 'size', message: `${entry.path} is larger than 10 MiB, so it is not read.` };
};

const seenFile = (repository: Repository, entry: TreeEntry): Seen => {
  const { id, full_name: name, default_branch: branch } = repository;
  const { path, sha, size = 0 } = entry;
  const skip = skipOf(entry);
  const address = path.split('/').map(encodeURIComponent).join('/');
  return {
    id: `github:${id}:${path}`,
    kind: 'file',
    mark: sha,
    bytes: size,
    face: {
      title: posix.basename(path),
      url: `${repository.html_url}/blob/${branch.split('/').map(encodeURIComponent).join('/')}/${address}`,
      path: `/${name}/${path}`,
      ...(isPublishedText(path) ? { type: 'github_markdown' } : {}),
      metadata: { repository: name, branch, path },
    },
    how: { repository: String(id), name, sha, size },
    ...(skip === null ? {} : { skip }),
  };
};

const isPublishedText = (path: string): boolean => TEXT_TYPES[extname(path).toLowerCase()] !== undefined;

const lostItem = (id: string, name: string): Seen => ({
  id: `github:${id}`,
  kind: 'file',
  mark: '',
  face: { title: name, metadata: {} },
  skip: {
    code: 'no_access',
    message: `The repository ${name} does not exist any more, or the account may not read it. Its documents stay for 7 days; to keep them longer, take it out of the selection.`,
  },
});

const foundAgain = (id: string, name: string): Seen => ({
  ...{ id: `github:${id}`, kind: 'gone', mark: '', face: { title: name, metadata: {} } },
});

const openCursor = (cursor: SourceJson, endings: string): Cursor => {
  const parsed = CURSOR.safeParse(cursor);
  if (!parsed.success) return { version: 1, endings, repositories: {}, after: null, part: null };
  if (parsed.data.endings === endings) return parsed.data;
  const repositories = Object.entries(parsed.data.repositories).map(([id, state]) => [
    id,
    { ...state, etag: null },
  ]);
  return { ...parsed.data, endings, repositories: Object.fromEntries(repositories), part: null };
};

const byId = (a: ChosenResource, b: ChosenResource): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The last page of a repository tells its state; the pages before tell how many of its files were shown. */
interface RepositoryPage {
  readonly items: readonly Seen[];
  readonly covered?: readonly string[];
  readonly state?: RepositoryState;
  readonly part?: NonNullable<Cursor['part']>;
}

interface RepositoryLook {
  readonly chosen: ChosenResource;
  readonly state: RepositoryState | null;
  readonly part: Cursor['part'];
}

const lostPage = ({ tools }: GitHub, { chosen, state }: RepositoryLook): RepositoryPage => {
  const { id, name } = chosen;
  const now = tools.now();
  const lostSince = state?.lostSince ?? now;
  return {
    items: [lostItem(id, state?.name ?? name)],
    ...(now - lostSince > LOST_AFTER_MS ? { covered: [`github:${id}:`] } : {}),
    state: { name: state?.name ?? name, branch: state?.branch ?? '', etag: null, askedAt: 0, lostSince },
  };
};

/** The newest commit of a repository that was listed before; undefined: nothing else than asking anew tells it. */
const newestOfKnown = async (
  github: GitHub,
  { state, part }: RepositoryLook,
  signal: AbortSignal,
): Promise<Newest | undefined> => {
  if (state === null || state.etag === null || part !== null) return undefined;
  return (await askNewest(github, state, signal)) ?? undefined;
};

/** Another address is that of a repository which was renamed; name and default branch are asked for once a day. */
const isUnchanged = (newest: Newest | undefined, state: RepositoryState | null, now: number): boolean =>
  newest?.kind === 'same' &&
  state !== null &&
  newest.address.includes(`/repos/${state.name}/`) &&
  now - state.askedAt < NAMES_LAST_MS;

async function* lookRepository(
  github: GitHub,
  look: RepositoryLook,
  signal: AbortSignal,
): AsyncGenerator<RepositoryPage> {
  const { chosen, state, part } = look;
  const now = github.tools.now();
  const known = await newestOfKnown(github, look, signal);
  if (isUnchanged(known, state, now)) return;
  const repository = await findRepository(github, chosen.id, signal);
  if (repository === null) return yield lostPage(github, look);
  const { full_name: name, default_branch: branch } = repository;
  const isSame = name === state?.name && branch === state.branch;
  const found = { name, branch, etag: null, askedAt: now, lostSince: null };
  if (isSame && known?.kind === 'same') return yield { items: [], state: { ...found, etag: state.etag } };
  const newest = await newestOf(github, { found, part, known: isSame ? known : undefined }, signal);
  if (newest === null) return yield lostPage(github, look);
  yield* listRepository(github, { repository, newest, look, found }, signal);
}

interface FoundRepository {
  readonly found: RepositoryState;
  readonly part: Cursor['part'];
  readonly known: Newest | undefined;
}

type Other = Extract<Newest, { kind: 'other' }>;

/** Null: the default branch cannot be read. */
const newestOf = async (
  github: GitHub,
  { found, part, known }: FoundRepository,
  signal: AbortSignal,
): Promise<Other | null> => {
  // The listing goes on with the commit with which it began; the next look lists newer ones.
  if (part !== null) return { kind: 'other', head: part.head, etag: null };
  if (known?.kind === 'other' && known.head !== null) return known;
  const newest = await askNewest(github, found, signal);
  return newest?.kind === 'other' ? newest : null;
};

interface Listing {
  readonly repository: Repository;
  readonly newest: Other;
  readonly look: RepositoryLook;
  readonly found: RepositoryState;
}

async function* listRepository(
  github: GitHub,
  { repository, newest: { head, etag }, look: { chosen, state, part }, found }: Listing,
  signal: AbortSignal,
): AsyncGenerator<RepositoryPage> {
  let items: Seen[] = state === null || state.lostSince === null ? [] : [foundAgain(chosen.id, found.name)];
  let shown = 0;
  if (head !== null)
    for await (const entry of treeFiles(github, found.name, { sha: head, prefix: '' }, signal)) {
      if (!github.endings.includes(extname(entry.path).toLowerCase())) continue;
      shown += 1;
      if (shown <= (part?.shown ?? 0)) continue;
      items.push(seenFile(repository, entry));
      if (items.length < PAGE) continue;
      yield { items, part: { id: chosen.id, head, shown } };
      items = [];
    }
  yield { items, covered: [`github:${chosen.id}:`], state: { ...found, etag } };
}

const tooManyChosen = (chosen: number): SourceError =>
  new SourceError(
    'bad_options',
    `A connection reads at most ${MOST_REPOSITORIES} repositories, and ${chosen} are chosen. Make a second connection for the others.`,
  );

async function* look(
  github: GitHub,
  stored: SourceJson,
  choice: Choice,
  signal: AbortSignal,
): AsyncGenerator<LookPage> {
  const chosen = [...(choice ?? [])].sort(byId);
  if (chosen.length > MOST_REPOSITORIES) throw tooManyChosen(chosen.length);
  const cursor = openCursor(stored, github.endings.join(' '));
  const { part, after } = cursor;
  const repositories = new Map(
    chosen.flatMap(({ id }) => {
      const state = cursor.repositories[id];
      return state === undefined ? [] : [[id, state] as const];
    }),
  );
  const cursorAt = (place: Pick<Cursor, 'after' | 'part'>): Cursor => ({
    ...cursor,
    repositories: Object.fromEntries(repositories),
    ...place,
  });
  for (const one of chosen) {
    if (after !== null && one.id <= after) continue;
    const state = repositories.get(one.id) ?? null;
    const own = part?.id === one.id ? part : null;
    const pages = lookRepository(github, { chosen: one, state, part: own }, signal);
    for await (const { part: next, state: found, ...page } of pages) {
      if (found !== undefined) repositories.set(one.id, found);
      yield {
        ...page,
        cursor: cursorAt(next === undefined ? { after: one.id, part: null } : { after, part: next }),
      };
    }
  }
  yield { items: [], cursor: cursorAt({ after: null, part: null }), end: 'delta' };
}

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const CODE_BLOCK = /^(```|~~~)[\s\S]*?^\1/gm;
const UNDERLINED = /^(\S.{0,300})\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|"{3,})[ \t]*$/m;
const MARKDOWN_HEADINGS = [/^#{1,6}[ \t]+(\S.{0,300}?)[ \t#]*$/m, UNDERLINED];
const HEADINGS: Readonly<Record<string, readonly RegExp[]>> = {
  '.md': MARKDOWN_HEADINGS,
  '.mdx': MARKDOWN_HEADINGS,
  '.markdown': MARKDOWN_HEADINGS,
  '.rst': [UNDERLINED],
  '.adoc': [/^={1,6}[ \t]+(\S.{0,300})$/m],
  '.org': [/^(?:#\+title:|\*{1,6})[ \t]+(\S.{0,300})$/im],
};

/** Null: the file has no heading. */
const headingOf = (path: string, text: string): string | null => {
  const start = text
    .slice(0, 20_000)
    .replaceAll('\r\n', '\n')
    .replace(FRONT_MATTER, '')
    .replace(CODE_BLOCK, '');
  const found = (HEADINGS[extname(path).toLowerCase()] ?? []).flatMap((heading) => heading.exec(start) ?? []);
  return found[1]?.trim() || null;
};

const nothing = (code: string, message: string): Taken => ({ content: 'nothing', skip: { code, message } });

const takenText = ({ face }: ReadItem, text: string): Taken => {
  const path = String(face.metadata.path ?? face.title);
  if (text.startsWith(LFS_MARK))
    return nothing('lfs', `${path} is kept in Git LFS, whose files are not read.`);
  const mediaType = TEXT_TYPES[extname(path).toLowerCase()];
  if (mediaType === undefined) return takenFile(path, Buffer.from(text));
  const title = headingOf(path, text);
  return { content: 'text', text, mediaType, ...(title === null ? {} : { face: { title } }) };
};

/** Other files are read by their bytes, as if they had been uploaded. */
const takenFile = (path: string, content: Buffer): Taken => ({
  content: 'file',
  name: posix.basename(path),
  async *bytes() {
    yield content;
  },
});

const takenBytes = (item: ReadItem, content: Buffer): Taken => {
  const path = String(item.face.metadata.path ?? item.face.title);
  if (!content.subarray(0, HEAD_BYTES).includes(0)) return takenText(item, content.toString('utf8'));
  if (isPublishedText(path)) return nothing('binary', `${path} holds no text.`);
  return takenFile(path, content);
};

const read = async ({ api, tools }: GitHub, item: ReadItem, signal: AbortSignal): Promise<Taken> => {
  const { name, sha } = HOW.parse(item.how);
  const request = {
    headers: { ...HEADERS, accept: 'application/vnd.github.raw+json' },
    template: '/repos/{owner}/{name}/git/blobs/{sha}',
  };
  const answer = await tools.ask(`${api.rest}/repos/${name}/git/blobs/${sha}`, request, signal);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.stream()) {
    bytes += piece.length;
    if (bytes > MOST_FILE_BYTES)
      throw new SourceError('too_large', `${item.face.title} is larger than 10 MiB, so it is not read.`);
    pieces.push(piece);
  }
  return takenBytes(item, Buffer.concat(pieces));
};

interface Batch {
  readonly repository: string;
  readonly name: string;
  readonly files: { readonly item: ReadItem; readonly sha: string }[];
}

/** The files of a batch by repository, as many as fit into one answer. */
const batchesOf = (items: readonly ReadItem[]): Batch[] => {
  const batches = new Map<string, Batch>();
  let bytes = 0;
  for (const item of items) {
    const { repository, name, sha, size } = HOW.parse(item.how);
    if (size > MOST_TOGETHER_BYTES || bytes + size > MOST_ANSWER_BYTES) continue;
    bytes += size;
    const batch = batches.get(repository) ?? { repository, name, files: [] };
    batch.files.push({ item, sha });
    batches.set(repository, batch);
  }
  return [...batches.values()];
};

const BLOB_FIELDS = '... on Blob { text isBinary isTruncated }';

const queryOf = (batches: readonly Batch[]): { query: string; variables: Record<string, string> } => {
  const variables: Record<string, string> = {};
  const declared: string[] = [];
  const fields = batches.map(({ name, files }, r) => {
    const [owner = '', repository = ''] = name.split('/');
    variables[`owner${r}`] = owner;
    variables[`name${r}`] = repository;
    declared.push(`$owner${r}: String!`, `$name${r}: String!`);
    const objects = files.map(({ sha }, b) => {
      variables[`id${r}_${b}`] = sha;
      declared.push(`$id${r}_${b}: GitObjectID!`);
      return `b${b}: object(oid: $id${r}_${b}) { ${BLOB_FIELDS} }`;
    });
    return `r${r}: repository(owner: $owner${r}, name: $name${r}) { ${objects.join(' ')} }`;
  });
  return { query: `query (${declared.join(', ')}) { ${fields.join(' ')} }`, variables };
};

/** What GraphQL leaves out, as long texts and what it cannot find, is missing: REST reads it, or says why not. */
const readTogether = async (
  { api, tools }: GitHub,
  items: readonly ReadItem[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Taken>> => {
  const batches = batchesOf(items);
  const taken = new Map<string, Taken>();
  if (batches.length === 0) return taken;
  const request = {
    method: 'POST' as const,
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(queryOf(batches)),
    template: '/graphql',
  };
  const answer = await tools.ask(api.graphql, request, signal).catch(nullIfRefused);
  if (answer === null) return taken;
  const { data, errors = [] } = await answerAs(answer, BLOBS, 'the texts of files');
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) throw limitReached(answer, tools.now());
  for (const [r, { files }] of batches.entries())
    for (const [b, { item }] of files.entries()) {
      const blob = data?.[`r${r}`]?.[`b${b}`];
      if (typeof blob?.text === 'string' && blob.isTruncated !== true && blob.isBinary !== true)
        taken.set(item.id, takenText(item, blob.text));
    }
  return taken;
};

/** A token without the right to use GraphQL may still read files one by one. */
const nullIfRefused = (error: unknown): null => {
  if (isAbsent(error)) return null;
  throw error;
};

/** The end of the hour, in milliseconds; null: the headers name none. */
const limitEndsAt = (headers: Readonly<Record<string, string>>): number | null => {
  const seconds = Number(headers['x-ratelimit-reset']);
  return headers['x-ratelimit-remaining'] === '0' && Number.isFinite(seconds) ? seconds * 1000 : null;
};

const limitReached = ({ headers }: SourceAnswer, now: number): SourceError =>
  new SourceError('rate_limited', 'GitHub limits the requests of the account for this hour.', {
    retryAfterMs: Math.max(60_000, (limitEndsAt(headers) ?? 0) - now),
  });

const judge = (status: number, headers: Readonly<Record<string, string>>, body: string): RefusalVerdict => {
  if (status !== 403 && status !== 429) return null;
  const until = limitEndsAt(headers);
  if (until !== null && headers['retry-after'] === undefined) return { until };
  return headers['retry-after'] !== undefined || /secondary rate limit|abuse detection/i.test(body)
    ? 'throttled'
    : null;
};

const browse = async (
  { api, tools }: GitHub,
  { page, perPage }: { page: number; perPage: number },
  signal: AbortSignal,
): Promise<{ resources: Resource[]; total?: number }> => {
  const address = `${api.rest}/user/repos?per_page=${perPage}&page=${page}&sort=full_name`;
  const answer = await tools.ask(address, { headers: HEADERS, template: '/user/repos' }, signal);
  const repositories = await answerAs(answer, z.array(REPOSITORY), 'a list of repositories');
  const isLast = !/rel="next"/.test(answer.headers.link ?? '');
  return {
    resources: repositories.map(resourceOf),
    ...(isLast ? { total: (page - 1) * perPage + repositories.length } : {}),
  };
};

const resourceOf = (repository: Repository): Resource => {
  const { id, name, full_name, description = null, default_branch, updated_at = null } = repository;
  return {
    ...{ id: String(id), name: full_name, kind: 'repository', hasChildren: false, selectable: true },
    published: { id, name, full_name, description, private: repository.private, default_branch, updated_at },
  };
};

const HOOK = z.object({ id: z.int() });
const HOOKS = z.array(z.object({ id: z.int(), config: z.object({ url: z.string().optional() }) }));

interface HookPlace {
  readonly name: string;
  readonly address: string;
  readonly secret: string;
}

/** Null: the account may not make hooks here, so the schedule alone leads to looks. */
const watchRepository = async (
  { api, tools }: GitHub,
  { name, address, secret }: HookPlace,
  signal: AbortSignal,
): Promise<Watch | null> => {
  const config = { url: address, content_type: 'json', secret, insecure_ssl: '0' };
  const hooks = `${api.rest}/repos/${name}/hooks`;
  const template = '/repos/{owner}/{name}/hooks';
  const body = JSON.stringify({ name: 'web', active: true, events: ['push', 'repository'], config });
  const answer = await tools.ask(
    hooks,
    { method: 'POST', headers: HEADERS, body, accept: [403, 404, 422], template },
    signal,
  );
  if (answer.status < 400) {
    const { id } = await answerAs(answer, HOOK, 'a webhook');
    return { id: String(id), endsAt: null, how: { name } };
  }
  answer.discard();
  if (answer.status !== 422) return null;
  // It exists already, as after a watch whose answer was lost: it gets the new secret.
  const listed = await askAs(tools.ask, `${hooks}?per_page=100`, {
    ...{ shape: HOOKS, what: 'a list of webhooks', signal },
    request: { headers: HEADERS, template },
  });
  const existing = listed.find((hook) => hook.config.url === address);
  if (existing === undefined) return null;
  const changed = await tools.ask(
    `${hooks}/${existing.id}/config`,
    { method: 'PATCH', headers: HEADERS, body: JSON.stringify(config), template: `${template}/{id}/config` },
    signal,
  );
  changed.discard();
  return { id: String(existing.id), endsAt: null, how: { name } };
};

const watch = async (
  github: GitHub,
  choice: Choice,
  { address, secret }: { address: string; secret: string },
  signal: AbortSignal,
): Promise<readonly Watch[] | null> => {
  const watches: Watch[] = [];
  for (const { id } of choice ?? []) {
    const repository = await findRepository(github, id, signal);
    if (repository === null) continue;
    const made = await watchRepository(github, { name: repository.full_name, address, secret }, signal);
    if (made !== null) watches.push(made);
  }
  return watches.length === 0 ? null : watches;
};

const WATCH_HOW = z.object({ name: z.string() });

const unwatch = async ({ api, tools }: GitHub, { id, how }: Watch, signal: AbortSignal): Promise<void> => {
  const { name } = WATCH_HOW.parse(how);
  const answer = await tools.ask(
    `${api.rest}/repos/${name}/hooks/${encodeURIComponent(id)}`,
    { method: 'DELETE', headers: HEADERS, accept: [403, 404], template: '/repos/{owner}/{name}/hooks/{id}' },
    signal,
  );
  answer.discard();
};

const checkHook = ({ headers, body, secret }: HookDelivery): HookVerdict => {
  if (!isSignedBody(body, secret, headers['x-hub-signature-256'])) return { kind: 'refuse' };
  const event = headers['x-github-event'];
  if (event !== 'push' && event !== 'repository') return { kind: 'ignore' };
  return { kind: 'wake', delivery: headers['x-github-delivery'] ?? null };
};

const USER = z.object({ login: z.string(), email: z.string().nullish() });

const open = (grant: Grant, tools: SourceTools): OpenSource => {
  const github: GitHub = { api: apiOf(grant), endings: endingsOf(grant), tools };
  return {
    async who(signal) {
      const { login, email } = await askAs(tools.ask, `${github.api.rest}/user`, {
        ...{ shape: USER, what: 'the account of the token', signal },
        request: { headers: HEADERS, template: '/user' },
      });
      return { account: login, ...(email ? { email } : {}) };
    },
    look: (cursor, choice, signal) => look(github, cursor, choice, signal),
    read: (item, signal) => read(github, item, signal),
    readTogether: {
      most: MOST_TOGETHER,
      read: (items, signal) => readTogether(github, items, signal),
    },
    browse: (_parent, page, perPage, signal) => browse(github, { page, perPage }, signal),
    watch: (choice, address, secret, signal) => watch(github, choice, { address, secret }, signal),
    unwatch: (watched, signal) => unwatch(github, watched, signal),
  };
};

const checkOptions = (grant: Grant): string | null => {
  const { host, extensions = '' } = grant.metadata;
  if (host !== undefined && (typeof host !== 'string' || !isHost(host)))
    return 'metadata.host is the name of a GitHub Enterprise server, as in "github.example.com".';
  if (hostOption(grant) !== null && !grant.secrets.token)
    return 'A GitHub Enterprise server needs metadata.token: the sign-in is that of github.com.';
  if (typeof extensions !== 'string' || !/^[\w.,\s+-]{0,500}$/.test(extensions))
    return 'metadata.extensions is a list of endings, as in "py, ts".';
  return null;
};

export const github = sourceKind({
  provider: 'github',
  title: 'GitHub',
  signIn: {
    app: 'github',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scopes: ['repo', 'user:email', 'admin:repo_hook'],
    clientAuth: 'body',
  },
  secrets: ['token'],
  options: ['token', 'host', 'extensions', 'repositories'],
  choosing: 'must',
  whole: false,
  pace: { perSecond: 10, parallel: 5, lookEveryMs: 10 * 60_000 },
  folders: false,
  moves: true,
  checkOptions,
  credentials: ({ secrets }) =>
    secrets.token ? { kind: 'bearer', token: secrets.token } : { kind: 'signed-in' },
  judge,
  checkHook,
  open,
});
