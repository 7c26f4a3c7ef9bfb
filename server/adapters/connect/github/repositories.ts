// A look at one repository: what its newest commit is, and the files of another one.
import { extname } from 'node:path';
import { z } from 'zod';
import type { ChosenResource, Seen, SourceAnswer } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { findRepository, type GitHub, HEADERS, isNotThere, type Repository } from './api.ts';
import { seenGitFile } from './files.ts';
import { treeFiles } from './tree.ts';

const PAGE = 1_000;
const NAMES_LAST_MS = 24 * 60 * 60_000;
/** Access may be lost by mistake, as when a repository is private for an afternoon. */
const LOST_AFTER_MS = 7 * 24 * 60 * 60_000;
/** The state of a repository that is kept from one look to the next. */
export const REPOSITORY_STATE = z.object({
  name: z.string(),
  branch: z.string(),
  /** The tag of the newest commit; null: list the files although there may be no new commit. */
  etag: z.string().nullable(),
  /** The time at which name and default branch were asked for. */
  askedAt: z.number(),
  lostSince: z.number().nullable(),
});
export type RepositoryState = z.output<typeof REPOSITORY_STATE>;

/** The repository whose files were shown in part. */
export const SHOWN_PART = z.object({ id: z.string(), head: z.string(), shown: z.int() });
type ShownPart = z.output<typeof SHOWN_PART>;

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
    if (isNotThere(error)) return null;
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
    throw new SourceError('bad_answer', `GitHub named no commit for ${name}.`, {
      syncGoesOn: 'It is asked again later.',
    });
  return { kind: 'other', head, etag: answer.headers.etag ?? null };
};

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

/** The last page of a repository tells its state; the pages before tell how many of its files were shown. */
interface RepositoryPage {
  readonly items: readonly Seen[];
  readonly covered?: readonly string[];
  readonly state?: RepositoryState;
  readonly part?: ShownPart;
}

interface RepositoryLook {
  readonly chosen: ChosenResource;
  readonly state: RepositoryState | null;
  readonly part: ShownPart | null;
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

export async function* lookRepository(
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
  readonly part: ShownPart | null;
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
      items.push(seenGitFile(repository, entry));
      if (items.length < PAGE) continue;
      yield { items, part: { id: chosen.id, head, shown } };
      items = [];
    }
  yield { items, covered: [`github:${chosen.id}:`], state: { ...found, etag } };
}
