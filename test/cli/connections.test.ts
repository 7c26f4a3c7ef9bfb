// memoir connections where a person signs in: the command prints the link, waits, and follows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fillDrive } from '../connections/support/contents.ts';
import { type SyncedServer, startSyncedServer } from '../connections/support/synced-server.ts';
import { type FakeGitHub, startFakeGitHub } from '../fakes/github.ts';
import { PROGRAM } from '../support/program.ts';
import { until } from '../support/until.ts';
import { answerOf, cleanEnv, newPlace, type Place, run } from './memoir-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const FILES = 12;

let server: SyncedServer;
let github: FakeGitHub;
let place: Place;
let at: readonly string[];
beforeAll(async () => {
  place = newPlace();
  github = await startFakeGitHub();
  server = await startSyncedServer({ standIns: { 'https://api.github.com': github.server.origin } });
  at = ['--url', server.running()?.url ?? '', '--api-key', server.folder.key];
  fillDrive(server.drive, { files: FILES, folders: 2 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await github.close();
  place.remove();
});

/** A command that goes on while the test acts. */
const begin = (args: readonly string[]) => {
  const child = spawn(process.execPath, [PROGRAM, ...args, ...at], { cwd: place.cwd, env: cleanEnv() });
  let stderr = '';
  let stdout = '';
  child.stderr.on('data', (part: Buffer) => {
    stderr += part;
  });
  child.stdout.on('data', (part: Buffer) => {
    stdout += part;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return {
    ended,
    saysOnTheSide: (words: string) => until(words, () => stderr.includes(words), 60_000),
    stderr: () => stderr,
  };
};

/** Follows the link as a browser does after a person agreed. */
const agree = async (output: string): Promise<void> => {
  const link = /https:\/\/accounts\S+/.exec(output)?.[0] ?? '';
  const { pathname, search } = server.google.consent(link);
  await fetch(`${server.running()?.url}${pathname}${search}`, { redirect: 'manual' });
};

test('add prints the link, waits for the sign-in and the choice, and ends when the documents can be found', async () => {
  const adding = begin(['connections', 'add', 'google-drive', '--tag', 'drive']);
  await adding.saysOnTheSide('Waiting for the sign-in');
  await agree(adding.stderr());
  await adding.saysOnTheSide('Choose in the browser what it syncs');
  const [connection] = await answerOf<{ id: string }[] & Record<string, unknown>>(
    ['connections', 'list', ...at],
    place,
  );
  const id = connection?.id ?? '';
  const listed = await run(['connections', 'choose', id, ...at], place);
  expect(listed.stdout).toContain('My Drive');
  expect((await run(['connections', 'choose', id, '1', ...at], place)).stdout).toContain(
    'The sync starts now',
  );
  const { code, stdout } = await adding.ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${FILES} of ${FILES}`)]);
  const { body } = await server.ask<{ totalCount: number }>('GET', '/v3/documents/processing');
  expect(body.totalCount).toBe(0);
});

test('a connection that signed out says so, and reauthorize leads back to its documents', async () => {
  const [{ id } = { id: '' }] = await answerOf<{ id: string }[] & Record<string, unknown>>(
    ['connections', 'list', ...at],
    place,
  );
  server.google.endGrants();
  const failed = await run(['connections', 'sync', id, ...at], place);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/sign in again/i)]);
  expect((await run(['connections', 'list', ...at], place)).stdout).toContain('signed_out');
  expect((await run(['status', ...at], place)).stdout).toContain(
    'sign in again with memoir connections reauthorize',
  );
  const again = begin(['connections', 'reauthorize', id]);
  await again.saysOnTheSide('Waiting for the sign-in');
  await agree(again.stderr());
  const { code, stdout } = await again.ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${FILES} of ${FILES}`)]);
});

test('choose lists all repositories, each with its owner, and takes the one that is named so', async () => {
  for (let n = 0; n < 101; n++) github.addRepository(`ann/notes-${n}`, { 'a.md': `Note ${n}.` });
  github.addRepository('bea/notes-1', { 'b.md': 'The mill of Bea turns at dawn.' });
  const { body } = await server.ask<{ id: string }>('POST', '/v3/connections/github', {
    ...{ containerTag: 'repositories', metadata: { token: github.token } },
  });
  const listed = await run(['connections', 'choose', body.id, ...at], place);
  expect(listed.stdout).toContain('102   bea/notes-1  (');
  expect(listed.stdout.match(/notes-1 /g)).toHaveLength(2);
  const none = await run(['connections', 'choose', body.id, 'bea/notes', ...at], place);
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringMatching(/^bea\/notes is neither .* It is shown by: .*connections choose \S+$/m),
  ]);
  expect((await run(['connections', 'choose', body.id, 'bea/notes-1', ...at], place)).code).toBe(0);
  await until('the chosen repository', async () => {
    const { body: found } = await server.ask<{ memories: { filepath: string }[] }>(
      'POST',
      '/v3/documents/list',
      {
        containerTags: ['repositories'],
      },
    );
    return found.memories.length === 1 && found.memories[0]?.filepath === '/bea/notes-1/b.md';
  });
});

test('missing options are named as they are typed, without a server too', async () => {
  await run(['add', 'A note that creates the folder.'], place);
  const { code, stderr } = await run(['connections', 'add', 's3', '--dry-run'], place);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/metadata\.bucket.*--set name=value/s)]);
});

test('with --no-wait the link is printed and nothing is followed', async () => {
  const { code, stdout } = await run(['connections', 'add', 'gmail', '--no-wait', ...at], place);
  expect([code, stdout]).toEqual([0, expect.stringContaining('https://accounts')]);
});

test('what cannot be done says what to do next, as it is typed', async () => {
  const { body } = await server.ask<{ id: string; provider: string }[]>('POST', '/v3/connections/list');
  const id = body.find(({ provider }) => provider === 'gmail')?.id ?? '';
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await run(['connections', ...args, ...at], place);
    return stdout + stderr;
  };
  expect(await said('sync', id)).toContain(`connections reauthorize ${id}`);
  expect(await said('pause', 'unknown')).toContain('memoir connections list');
  expect(await said('list', '--tag', 'nothing')).toContain('There is no connection under nothing.');
  const wrong = [...at.slice(0, -1), 'sm_wrong_key_of_nobody'];
  expect((await run(['connections', 'list', ...wrong], place)).stderr).toContain('--api-key');
});
