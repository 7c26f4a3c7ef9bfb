// Tests of GitHub as a source, over a fake that the official client drives too.
import { Octokit } from '@octokit/rest';
import { describe, expect, onTestFinished, test } from 'vitest';
import { github } from '../../../server/adapters/connect/github.ts';
import type { Choice, SourceValue } from '../../../server/adapters/connect/port.ts';
import { type FakeGitHub, type FakeRepository, startFakeGitHub } from '../../fakes/github.ts';
import { anyRequest, forRequests } from '../../fakes/support/fake-server.ts';
import { sizeOf } from '../../support/sizes.ts';
import { checkDelivery, hmacOf } from './check-delivery.ts';
import { sourceContract } from './contract.ts';
import { filesOf, follow, lookOnce, openFake, readFrom, readItem, textOf } from './open-source.ts';
import type { SourceFake } from './source-fake.ts';

const { signal } = new AbortController();

const chosen = (...repositories: readonly FakeRepository[]): Choice =>
  repositories.map(({ id, fullName }) => ({ id: String(id), name: fullName, kind: 'repository' }));

const connected = (
  hub: FakeGitHub,
  repositories: readonly FakeRepository[],
  metadata: Record<string, SourceValue> = {},
) => ({
  standIns: { 'https://api.github.com': hub.server.origin },
  grant: { metadata, secrets: { token: hub.token } },
  choice: chosen(...repositories),
});

const startContractFake = async (): Promise<SourceFake> => {
  const hub = await startFakeGitHub();
  const repository = hub.addRepository('ann/notes');
  const idOf = (name: string) => `github:${repository.id}:${name}`;
  return {
    ...connected(hub, [repository]),
    server: hub.server,
    isListing: ({ url }) => url.pathname.includes('/commits/'),
    isReading: ({ url }) => url.pathname.includes('/git/blobs/'),
    async put(name, text) {
      hub.commit(repository, { [name]: text });
      return idOf(name);
    },
    async remove(name) {
      hub.commit(repository, { [name]: null });
    },
    forbid: (name) => hub.forbidBlob(repository, name),
    makeTooLarge(name) {
      hub.commit(repository, { [name]: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') });
    },
    revoke: hub.revoke,
    close: hub.close,
  };
};

sourceContract(github, startContractFake);

/** A fake with repositories that are chosen, and the source that reads them. */
const openHub = async (
  files: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>>,
  metadata: Record<string, SourceValue> = {},
) => {
  const hub = await startFakeGitHub();
  const repositories = Object.entries(files).map(([name, content]) => hub.addRepository(name, content));
  const fake = connected(hub, repositories, metadata);
  const opened = openFake(github, fake);
  const known = follow();
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await hub.close();
  });
  const [first] = repositories;
  if (first === undefined) throw new Error('A hub needs a repository.');
  return {
    ...{ hub, repositories, first, opened, known },
    look: () => lookOnce(opened, known, { choice: fake.choice }),
    paths: () =>
      filesOf(known)
        .map(({ face }) => face.path)
        .sort(),
    item: (path: string) => {
      const found = [...known.items.values()].find(({ face }) => face.path === path);
      if (found === undefined) throw new Error(`The source did not show ${path}.`);
      return found;
    },
    asked: (what: RegExp) => hub.server.requests.filter(({ url }) => what.test(url.pathname)).length,
  };
};

const octokitFor = (hub: FakeGitHub) => new Octokit({ auth: hub.token, baseUrl: hub.server.origin });

describe('the fake of GitHub, driven by the official client', () => {
  test('lists repositories, trees and blobs, and reads blobs by GraphQL', async () => {
    const { hub, first } = await openHub({ 'ann/notes': { 'a.md': '# One', 'docs/b.md': 'Two' } });
    const client = octokitFor(hub);
    const { data: repositories } = await client.rest.repos.listForAuthenticatedUser({ per_page: 30 });
    expect(repositories.map(({ full_name }) => full_name)).toEqual(['ann/notes']);
    const place = { owner: 'ann', repo: 'notes' };
    const { data: commit } = await client.rest.repos.getCommit({ ...place, ref: 'main' });
    const { data: tree } = await client.rest.git.getTree({ ...place, tree_sha: commit.sha, recursive: '1' });
    expect(tree.tree.map(({ path, type }) => [path, type])).toEqual([
      ['a.md', 'blob'],
      ['docs', 'tree'],
      ['docs/b.md', 'blob'],
    ]);
    const [{ sha: file_sha = '' } = {}] = tree.tree;
    const { data: blob } = await client.rest.git.getBlob({ ...place, file_sha });
    expect(Buffer.from(blob.content, 'base64').toString()).toBe('# One');
    const asked = await client.graphql<{ r: { b: { text: string } } }>(
      'query ($o: String!, $n: String!, $i: GitObjectID!) { r: repository(owner: $o, name: $n) { b: object(oid: $i) { ... on Blob { text isBinary } } } }',
      { o: 'ann', n: 'notes', i: file_sha },
    );
    expect(asked.r.b.text).toBe('# One');
    const hook = await client.rest.repos.createWebhook({
      ...place,
      config: { url: 'https://memoir.example/hook', secret: 'planted', content_type: 'json' },
      events: ['push'],
    });
    expect(first.hooks.get(hook.data.id)?.secret).toBe('planted');
    await client.rest.repos.deleteWebhook({ ...place, hook_id: hook.data.id });
    expect(first.hooks.size).toBe(0);
  });
});

describe('a look at repositories', () => {
  test('asks once for each repository without a new commit, and a new one is listed', async () => {
    const { hub, look, paths, first, asked } = await openHub({
      'ann/notes': { 'a.md': 'One' },
      'ann/plans': { 'b.md': 'Two' },
    });
    await look();
    hub.server.requests.length = 0;
    await look();
    expect(hub.server.requests).toHaveLength(2);
    expect(asked(/\/commits\/main/)).toBe(2);
    hub.commit(first, { 'c.rst': 'Three' });
    await look();
    expect(paths()).toEqual(['/ann/notes/a.md', '/ann/notes/c.rst', '/ann/plans/b.md']);
  });

  test('shows texts alone, links and large files with a reason, and other endings on request', async () => {
    const files = { 'a.md': 'One', 'code.py': 'print(1)', 'b.PNG': 'x', 'deep/c.TXT': 'Two' };
    const { hub, first, look, paths, item } = await openHub(
      { 'ann/notes': files },
      { extensions: 'py, .ts' },
    );
    hub.link(first, 'link.md', 'a.md');
    await look();
    expect(paths()).toEqual(['/ann/notes/a.md', '/ann/notes/code.py', '/ann/notes/deep/c.TXT']);
    expect(item('/ann/notes/link.md').skip?.message).toContain('link.md is a link');
    expect(item('/ann/notes/a.md').face).toMatchObject({ type: 'github_markdown', title: '' });
    expect(item('/ann/notes/code.py').face.type).toBeUndefined();
  });

  test('walks a tree that is cut, folder by folder', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`folder-${i % 3}/sub-${i % 2}/file-${i}.md`, `Text ${i}`]),
    );
    const { hub, look, paths } = await openHub({ 'ann/notes': files });
    hub.cutTreesAt(5);
    await look();
    expect(paths()).toEqual(
      Object.keys(files)
        .map((path) => `/ann/notes/${path}`)
        .sort(),
    );
  });

  test('follows a repository to its new name, and another one under the old name is not taken for it', async () => {
    const { hub, first, look, paths } = await openHub({ 'ann/notes': { 'a.md': 'One' } });
    await look();
    hub.rename(first, 'bob/memos');
    await look();
    expect(paths()).toEqual(['/bob/memos/a.md']);
    hub.addRepository('ann/notes', { 'foreign.md': 'Not chosen' });
    hub.commit(first, { 'b.md': 'Two' });
    await look();
    expect(paths()).toEqual(['/bob/memos/a.md', '/bob/memos/b.md']);
  });

  test('a renamed branch, a force push and a moved file are a listing like any other', async () => {
    const { hub, first, look, paths, item, opened } = await openHub({
      'ann/notes': { 'a.md': 'One', 'b.md': 'Two' },
    });
    await look();
    const { mark } = item('/ann/notes/b.md');
    first.branch = 'trunk';
    first.files.clear();
    hub.commit(first, { 'moved/b.md': 'Two', 'c.md': 'Three' });
    await look();
    expect(paths()).toEqual(['/ann/notes/c.md', '/ann/notes/moved/b.md']);
    expect(item('/ann/notes/moved/b.md').mark).toBe(mark);
    // Another default branch without a commit is noticed within a day.
    first.branch = 'main';
    opened.pass(25 * 60 * 60_000);
    await look();
    expect(item('/ann/notes/c.md').face.url).toBe('https://github.com/ann/notes/blob/main/c.md');
  });

  test('keeps the documents of a repository that cannot be read for seven days', async () => {
    const { hub, first, look, paths, known, opened } = await openHub({ 'ann/notes': { 'a.md': 'One' } });
    await look();
    first.isHidden = true;
    await look();
    expect(paths()).toEqual(['/ann/notes/a.md']);
    expect(known.items.get(`github:${first.id}`)?.skip?.message).toContain(
      'ann/notes does not exist any more',
    );
    opened.pass(8 * 24 * 60 * 60_000);
    await look();
    expect(paths()).toEqual([]);
    first.isHidden = false;
    hub.commit(first, { 'b.md': 'Two' });
    await look();
    expect(paths()).toEqual(['/ann/notes/a.md', '/ann/notes/b.md']);
    expect(known.items.has(`github:${first.id}`)).toBe(false);
  });

  test('waits for the end of the hour when its requests are used up', async () => {
    const { hub, look, opened, paths } = await openHub({ 'ann/notes': { 'a.md': 'One' } });
    const until = Math.ceil(opened.now() / 1000) + 30;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(until) };
    const refusal = { status: 403, headers, body: { message: 'API rate limit exceeded for user ID 1.' } };
    hub.server.addFault(forRequests(anyRequest, refusal, { times: 1 }));
    await look();
    expect(opened.now()).toBeGreaterThanOrEqual(until * 1000);
    expect(paths()).toEqual(['/ann/notes/a.md']);
  });

  test('an empty repository has no files', async () => {
    const { look, paths } = await openHub({ 'ann/empty': {} });
    await look();
    expect(paths()).toEqual([]);
  });
});

describe('reading files', () => {
  test('many by one query, long and missing ones by REST', async () => {
    const long = `# Long\n${'word '.repeat(120_000)}`;
    const files = {
      ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.md`, `# Title ${i}`])),
      'long.md': long,
    };
    const { hub, look, known, opened, asked, item } = await openHub({ 'ann/notes': files });
    await look();
    const items = filesOf(known).map((one) => readItem(one));
    const together = opened.source.readTogether;
    const taken = await together?.read(items, signal);
    expect(taken?.size).toBe(40);
    expect(hub.queries).toHaveLength(1);
    expect(taken?.get(item('/ann/notes/f7.md').id)).toMatchObject({
      text: '# Title 7',
      face: { title: 'Title 7' },
    });
    expect(await textOf(await readFrom(opened, item('/ann/notes/long.md')))).toBe(long);
    expect(asked(/\/git\/blobs\//)).toBe(1);
  });

  test('thousands of files cost one request for fifty of them', async () => {
    const count = sizeOf({ small: 1_000, whole: 10_000 });
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`docs/f${i}.md`, `# Title ${i}`]),
    );
    const { hub, look, known, opened } = await openHub({ 'ann/notes': files });
    await look();
    const items = filesOf(known).map((one) => readItem(one));
    const together = opened.source.readTogether;
    let read = 0;
    for (let from = 0; from < items.length; from += together?.most ?? items.length)
      read += (await together?.read(items.slice(from, from + together.most), signal))?.size ?? 0;
    expect(read).toBe(count);
    // The repository, its newest commit and its tree come before them.
    expect(hub.server.requests).toHaveLength(count / 50 + 3);
  });

  test.each([
    ['a.md', '---\ntitle: x\n---\n\n```sh\n# no heading\n```\n## The plan ##\n', 'The plan'],
    ['b.md', 'Setext title\n===\n\n* a point\n', 'Setext title'],
    ['c.adoc', '= A manual\nText', 'A manual'],
    ['d.org', '#+TITLE: Agenda\n* First', 'Agenda'],
    ['e.rst', '========\nOverview\n========\n', 'Overview'],
    ['f.txt', '# no heading in plain text', 'f.txt'],
    ['g.md', 'No heading here.', 'g.md'],
  ])('the title of %s is its first heading', async (path, text, title) => {
    const { look, opened, item } = await openHub({ 'ann/notes': { [path]: text } });
    await look();
    const taken = await readFrom(opened, item(`/ann/notes/${path}`));
    expect(taken.face?.title).toBe(title);
  });

  test('pointers of LFS and binary files are skipped with the reason', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12\n';
    const { look, opened, item } = await openHub({
      'ann/notes': { 'lfs.md': pointer, 'binary.txt': Buffer.from([1, 0, 2, 3]) },
    });
    await look();
    expect(await readFrom(opened, item('/ann/notes/lfs.md'))).toMatchObject({ skip: { code: 'lfs' } });
    expect(await readFrom(opened, item('/ann/notes/binary.txt'))).toMatchObject({ skip: { code: 'binary' } });
  });
});

describe('repositories to choose from, and hooks', () => {
  test('the published form is listed page by page', async () => {
    const names = Array.from({ length: 5 }, (_, i) => `ann/r${i}`);
    const { opened } = await openHub(Object.fromEntries(names.map((name) => [name, {}])));
    const first = await opened.source.browse?.(null, 1, 3, signal);
    const second = await opened.source.browse?.(null, 2, 3, signal);
    expect([...(first?.resources ?? []), ...(second?.resources ?? [])].map(({ name }) => name)).toEqual(
      names,
    );
    expect([first?.total, second?.total]).toEqual([undefined, 5]);
    expect(first?.resources[0]?.published).toEqual({
      ...{ id: 1000, name: 'r0', full_name: 'ann/r0', description: 'About ann/r0', private: false },
      ...{ default_branch: 'main', updated_at: '2026-11-01T10:00:00Z' },
    });
  });

  test('of hooks that cannot all be made none stays, because the next attempt makes all anew', async () => {
    const { hub, repositories, opened } = await openHub({ 'ann/a': {}, 'ann/b': {} });
    hub.server.addFault(({ url, method }) =>
      method === 'POST' && url.pathname.includes('/ann/b/') ? { status: 500 } : undefined,
    );
    const address = 'https://memoir.example/v3/connections/hooks/github/token';
    const watch = opened.source.watch?.(chosen(...repositories), address, 'secret', signal);
    await expect(watch).rejects.toThrow('status 500');
    expect(repositories.map(({ hooks }) => hooks.size)).toEqual([0, 0]);
  });

  test('each repository gets a hook, made once, and it is removed again', async () => {
    const { hub, repositories, opened } = await openHub({ 'ann/a': {}, 'ann/b': {} });
    const address = 'https://memoir.example/v3/connections/hooks/github/token';
    const watch = (secret: string) => opened.source.watch?.(chosen(...repositories), address, secret, signal);
    const made = (await watch('first')) ?? [];
    expect(made).toHaveLength(2);
    expect(await watch('second')).toEqual(made);
    expect(repositories.map(({ hooks }) => [...hooks.values()].map(({ secret }) => secret))).toEqual([
      ['second'],
      ['second'],
    ]);
    for (const one of made) await opened.source.unwatch?.(one, signal);
    expect(repositories.map(({ hooks }) => hooks.size)).toEqual([0, 0]);
    hub.allowHooks(false);
    expect(await watch('third')).toBeNull();
  });

  test('a delivery with the right signature wakes, and any other is refused', () => {
    const body = Buffer.from('{"ref":"refs/heads/main"}');
    const hmac = hmacOf(body, 'planted');
    const signature = `sha256=${hmac}`;
    const check = (headers: Record<string, string>) =>
      checkDelivery(github, { headers, body, secret: 'planted' });
    const signed = { 'x-hub-signature-256': signature, 'x-github-delivery': 'd-1' };
    // The id of a delivery is not signed.
    expect(check({ ...signed, 'x-github-event': 'push' })).toEqual({ kind: 'wake', delivery: hmac });
    expect(check({ ...signed, 'x-github-event': 'ping' })).toEqual({ kind: 'ignore' });
    expect(check({ 'x-github-event': 'push' })).toEqual({ kind: 'refuse' });
    expect(check({ 'x-hub-signature-256': `${signature.slice(0, -1)}0`, 'x-github-event': 'push' })).toEqual({
      kind: 'refuse',
    });
  });

  test('options that cannot be used are named', () => {
    const checked = (metadata: Record<string, SourceValue>, secrets: Record<string, string> = {}) =>
      github.checkOptions({ metadata, secrets });
    expect(checked({})).toBeNull();
    expect(checked({ host: 'git.example.com' }, { token: 't' })).toBeNull();
    expect(checked({ host: 'git.example.com' })).toContain('needs metadata.token');
    expect(checked({ host: 'https://git.example.com' }, { token: 't' })).toContain('metadata.host');
    expect(checked({ extensions: 'a/b' })).toContain('metadata.extensions');
  });
});
