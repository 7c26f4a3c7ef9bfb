// Secrets that were planted everywhere appear nowhere; their key is changed under load, and lost.
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../server/lib/failures.ts';
import { run } from '../../cli/memoir-process.ts';
import { type Ask, until } from '../../crash/api.ts';
import { type FakeGitHub, startFakeGitHub } from '../../fakes/github.ts';
import { GOOGLE_APP } from '../../fakes/google-oauth.ts';
import { type FakeNotion, startFakeNotion } from '../../fakes/notion.ts';
import { secretsIn } from '../support/secret-words.ts';
import {
  connectBucket,
  connectDrive,
  runsOf,
  type SyncedServer,
  shown,
  startSyncedServer,
  syncAgain,
  synced,
} from '../support/synced-server.ts';
import { type ConnectionRow, exactly, type Figure, type Say, seen } from './row.ts';

const FIRST_KEY = 'the first key of the server, planted 0123456789';
const SECOND_KEY = 'the second key of the server, planted 9876543210';
const OTHER_KEY = 'a key that opens nothing of what is stored here';
const OWN = {
  MEMOIR_MICROSOFT_CLIENT_ID: 'microsoft-client',
  MEMOIR_MICROSOFT_CLIENT_SECRET: 'planted-microsoft-secret/1+2=3',
  MEMOIR_NOTION_CLIENT_ID: 'notion-client',
  MEMOIR_NOTION_CLIENT_SECRET: 'planted-notion-secret/1+2=3',
  MEMOIR_GITHUB_CLIENT_ID: 'github-client',
  MEMOIR_GITHUB_CLIENT_SECRET: 'planted-github-secret/1+2=3',
};
const OF_SETTINGS = 'planted-secret-of-the-settings/1+2=3';
const APP_SECRET = 'planted-secret-of-an-app/1+2=3';

const privateKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

const serviceAccount = (key: string): string =>
  JSON.stringify({ type: 'service_account', client_email: 'robot@project.example', private_key: key });

interface Services {
  readonly hub: FakeGitHub;
  readonly workspace: FakeNotion;
}

/** Remembers every answer. */
const recording = (server: SyncedServer, answers: string[]): SyncedServer => {
  const ask: Ask = async (method, path, body) => {
    const answer = await server.ask(method, path, body);
    answers.push(JSON.stringify(answer.body));
    return answer as never;
  };
  return { ...server, ask };
};

const tellAll = async (
  server: SyncedServer,
  { hub, workspace }: Services,
  key: string,
  say: Say,
): Promise<void> => {
  const { drive, google, ask } = server;
  for (let n = 0; n < 20; n++) drive.addFile(`note ${n}.txt`, `Note ${n} about the locks.`);
  workspace.addPage('A page', 'The sluice is open.');
  hub.addRepository('ann/notes', { 'a.md': '# A\n\nThe pump runs.' });
  await server.bucket.put('b.txt', 'The dike is high.');
  await ask('PATCH', '/v3/settings', { googleDriveClientId: 'own', googleDriveClientSecret: OF_SETTINGS });
  google.rotate();
  const id = await connectDrive(server, 'secret-drive');
  await synced(server, id);
  say('The drive is in sync.');
  google.expireAccess();
  await syncAgain(server, id, 'secret-drive');
  const bucket = await connectBucket(server, 'secret-bucket');
  await synced(server, bucket);
  say('The bucket is in sync.');
  const made = (provider: string, metadata: Record<string, string>) =>
    ask<{ id: string }>('POST', `/v3/connections/${provider}`, { containerTag: 'secret-others', metadata });
  await made('notion', { token: workspace.token });
  const { body } = await made('github', { token: hub.token });
  await ask('GET', `/v3/connections/${body.id}/resources`);
  await made('google-drive', { syncScope: 'full', serviceAccount: serviceAccount(key) });
  await made('onedrive', {
    tenantId: 'contoso',
    clientId: 'an-app',
    clientSecret: APP_SECRET,
    user: 'ann@example.org',
  });
  await made('s3', {
    ...server.bucket.grant.metadata,
    ...server.bucket.grant.secrets,
    bucket: 'elsewhere',
  } as never);
  const { body: again } = await ask<{ authLink: string }>('POST', `/v3/connections/${id}/reauthorize`, {});
  const denied = await fetch(google.deny(again.authLink), { redirect: 'manual' });
  await denied.text();
  server.bucket.revoke?.();
  await ask('POST', '/v3/connections/s3/import', { containerTags: ['secret-bucket'] });
  await until(
    'the end of the key of the bucket',
    60_000,
    async () => (await shown(server, bucket)).status === 'signed_out',
  );
};

/** A file in work may go meanwhile. */
const readIfThere = (file: string): Buffer[] => {
  try {
    return [readFileSync(file)];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

const allFiles = (dir: string): Buffer[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => readIfThere(join(parentPath, name)));

const statusesOf = async ({ ask }: SyncedServer): Promise<string[]> =>
  (await ask<{ id: string; status: string }[]>('POST', '/v3/connections/list', {})).body.map(
    ({ status }) => status,
  );

interface ReadCounts {
  reads: number;
  failed: number;
}

/** Reads that need the secrets, again and again. */
const readSecrets = async (
  { ask }: SyncedServer,
  id: string,
  counts: ReadCounts,
  over: () => boolean,
): Promise<void> => {
  while (!over()) {
    const { status } = await ask('GET', `/v3/connections/${id}/resources`);
    counts.reads += 1;
    if (status !== 200) counts.failed += 1;
  }
};

const ROTATIONS = 5;
const READERS = 4;

const changeKey = async (server: SyncedServer, id: string): Promise<Figure[]> => {
  const present = { MEMOIR_SECRET_KEY: SECOND_KEY, MEMOIR_SECRET_KEY_PREVIOUS: FIRST_KEY };
  await server.stop();
  await server.start(present);
  let over = false;
  const counts: ReadCounts = { reads: 0, failed: 0 };
  const readers = Array.from({ length: READERS }, () => readSecrets(server, id, counts, () => over));
  let sealed = 0;
  for (let n = 0; n < ROTATIONS; n++) {
    const { body } = await server.ask<{ sealed: number }>('POST', '/v3/secrets/rotate', {});
    sealed += body.sealed;
    server.google.expireAccess();
    await syncAgain(server, id, 'secret-drive');
    // No source ends a token while it is being renewed.
    const enough = counts.reads + 2 * READERS;
    await until('reads after the renewal', 60_000, async () => counts.reads >= enough);
  }
  over = true;
  await Promise.all(readers);
  await server.stop();
  await server.start({ MEMOIR_SECRET_KEY: SECOND_KEY });
  const after = await server.ask('GET', `/v3/connections/${id}/resources`);
  return [
    seen('secrets that were sealed anew', sealed),
    seen('reads meanwhile', counts.reads),
    exactly('reads that failed', counts.failed, 0),
    exactly('a read without the former key', after.status, 200),
  ];
};

const loseKey = async (server: SyncedServer, id: string): Promise<Figure[]> => {
  await server.stop();
  const { dir } = server.folder;
  const env = { MEMOIR_DATA_DIR: dir, MEMOIR_SECRET_KEY: OTHER_KEY };
  const { code: started } = await run(['serve'], { cwd: dir, env: { ...env, PORT: '0' } });
  await run(['secrets', 'forget'], { cwd: dir, env });
  await server.start({ MEMOIR_SECRET_KEY: OTHER_KEY });
  const { length } = await runsOf(server, id);
  await server.ask('POST', '/v3/connections/google-drive/import', { containerTags: ['secret-drive'] });
  await until(
    'the look without a key',
    60_000,
    async () =>
      (await runsOf(server, id)).length > length && (await runsOf(server, id))[0]?.status !== 'running',
  );
  const { status, problem = '' } = await shown(server, id);
  return [
    exactly('exit code of a start with another key', started ?? 'none', 1),
    exactly('status without the key', status, 'signed_out'),
    exactly('its sentence names', problem.includes('Sign in again') ? 'the remedy' : problem, 'the remedy'),
  ];
};

export const secrets: ConnectionRow = {
  name: 'secrets',
  requirements: [11],
  async run(_sizes, say) {
    const [hub, workspace] = [await startFakeGitHub(), await startFakeNotion()];
    const key = privateKey();
    const standIns = {
      'https://api.github.com': hub.server.origin,
      'https://api.notion.com': workspace.server.origin,
    };
    const started = await startSyncedServer({
      standIns,
      env: { ...OWN, MEMOIR_SECRET_KEY: FIRST_KEY, MEMOIR_LOG_LEVEL: 'trace' },
    });
    await using server = started;
    const answers: string[] = [];
    await tellAll(recording(server, answers), { hub, workspace }, key, say);
    say('Everything was told; now it is searched.');
    const planted: Record<string, string> = {
      ...{ 'client secret of Google': GOOGLE_APP.clientSecret, 'secret of the settings': OF_SETTINGS },
      ...{ 'client secret of Microsoft': OWN.MEMOIR_MICROSOFT_CLIENT_SECRET, 'secret of an app': APP_SECRET },
      'client secret of Notion': OWN.MEMOIR_NOTION_CLIENT_SECRET,
      'client secret of GitHub': OWN.MEMOIR_GITHUB_CLIENT_SECRET,
      'secret of the bucket': server.bucket.grant.secrets.secretAccessKey ?? '',
      ...{
        'key of the service account': key.split('\n').slice(3, 5).join(''),
        'its line': key.split('\n')[3] ?? '',
      },
      ...{ 'token of Notion': workspace.token, 'token of GitHub': hub.token, 'key of the server': FIRST_KEY },
      ...Object.fromEntries(
        server.google.secrets.map((secret, n) => [`${secret.split('-')[0]} ${n}`, secret]),
      ),
    };
    const running = allFiles(server.folder.dir);
    const statuses = await statusesOf(server);
    const found = new Set([
      ...running.flatMap((bytes) => secretsIn(bytes, planted)),
      ...secretsIn(readFileSync(server.logFile), planted),
      ...secretsIn(answers.join('\n'), planted),
    ]);
    const [drive] = (
      await server.ask<{ id: string; provider: string }[]>('POST', '/v3/connections/list', {
        containerTags: ['secret-drive'],
      })
    ).body;
    const rotated = await changeKey(server, drive?.id ?? '');
    say('The key was changed; now it is lost.');
    const lost = await loseKey(server, drive?.id ?? '');
    await Promise.all([hub.close(), workspace.close()]);
    return [
      seen('planted secrets', Object.keys(planted).length),
      seen('connections', statuses.length),
      seen(
        'files, answers and log that were searched, MB',
        (running.reduce((sum, { length }) => sum + length, 0) +
          answers.join('').length +
          readFileSync(server.logFile).length) /
          1e6,
      ),
      exactly('secrets that were found', [...found].join(', '), ''),
      ...rotated,
      ...lost,
    ];
  },
};
