// Texts of repositories on GitHub. A look asks each chosen repository for its newest commit and, if that is another one,
// lists the tree of files: one listing is exact for edits, renames, removals, force pushes and other branches.
import { z } from 'zod';
import { answerAs, askAs } from './answer-shape.ts';
import {
  apiOf,
  type GitHub,
  HEADERS,
  hostOption,
  isHost,
  limitEndsAt,
  REPOSITORY,
  type Repository,
} from './github/api.ts';
import { endingsOf } from './github/files.ts';
import { checkGitHubHook, unwatchRepository, watchRepositories } from './github/hooks.ts';
import { lookAtRepositories } from './github/look.ts';
import { MOST_TOGETHER, readGitBlob, readGitBlobs } from './github/read-blobs.ts';
import { sourceKind } from './kind.ts';
import type { Grant, OpenSource, RefusalVerdict, Resource, SourceTools } from './port.ts';

const judgeGithubRefusal = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): RefusalVerdict => {
  if (status !== 403 && status !== 429) return null;
  const until = limitEndsAt(headers);
  if (until !== null && headers['retry-after'] === undefined) return { until };
  return headers['retry-after'] !== undefined || /secondary rate limit|abuse detection/i.test(body)
    ? 'throttled'
    : null;
};

const listRepositories = async (
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

const USER = z.object({ login: z.string(), email: z.string().nullish() });

const openGitHub = (grant: Grant, tools: SourceTools): OpenSource => {
  const github: GitHub = { api: apiOf(grant), endings: endingsOf(grant), tools };
  return {
    async who(signal) {
      const { login, email } = await askAs(tools.ask, `${github.api.rest}/user`, {
        ...{ shape: USER, what: 'the account of the token', signal },
        request: { headers: HEADERS, template: '/user' },
      });
      return { account: login, ...(email ? { email } : {}) };
    },
    look: (cursor, choice, signal) => lookAtRepositories(github, cursor, choice, signal),
    read: (item, signal) => readGitBlob(github, item, signal),
    readTogether: {
      most: MOST_TOGETHER,
      read: (items, signal) => readGitBlobs(github, items, signal),
    },
    browse: (_parent, page, perPage, signal) => listRepositories(github, { page, perPage }, signal),
    watch: (choice, address, secret, signal) =>
      watchRepositories(github, choice, { address, secret }, signal),
    unwatch: (watched, signal) => unwatchRepository(github, watched, signal),
  };
};

const checkGitHubOptions = (grant: Grant): string | null => {
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
    revokeUrl: 'https://api.github.com/applications/{clientId}/grant',
    revokeAs: { method: 'DELETE', tokenField: 'access_token' },
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
  checkOptions: checkGitHubOptions,
  credentials: ({ secrets }) =>
    secrets.token ? { kind: 'bearer', token: secrets.token } : { kind: 'signed-in' },
  judge: judgeGithubRefusal,
  checkHook: checkGitHubHook,
  open: openGitHub,
});
