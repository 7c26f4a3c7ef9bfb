import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, orderedGroups, settingNames } from '../../server/config/config.ts';
import { SEARCH_LIMITS } from '../../server/domain/search/query/plan.ts';

const settings = orderedGroups.flatMap((group) => Object.entries(group.settings));

test('every setting is declared once, and every group has a place of its own', () => {
  expect(new Set(settingNames).size).toBe(settings.length);
  expect(new Set(orderedGroups.map(({ order }) => order)).size).toBe(orderedGroups.length);
});

test.each(settings)('%s has a help text in sentences, and a default that continues one', (_name, setting) => {
  expect(setting.help).toMatch(/^[A-Z].*\.$/);
  expect(setting.default).toMatch(/[^.]$/);
});

test('without any setting everything has its default', () => {
  expect(loadConfig({})).toEqual({
    port: 6767,
    ...{ smtp: null, oidc: null },
    connectionApps: {},
    connections: { lookMinutes: null, privateHosts: [] },
    host: '127.0.0.1',
    dataDir: resolve('.memoir'),
    queryDeadlineMs: 2_000,
    oauthClients: [],
    previousSecretKeys: [],
    ocr: {},
    logLevel: 'info',
    trustedProxies: [],
    bodyMemory: 268_435_456,
    auditDays: 400,
    requestLog: 'meta',
    metrics: null,
    traces: false,
    blobs: null,
    ...{ chroma: null, chromaShards: 1, chromaIndexFrom: 0 },
    database: null,
    filesDir: null,
    embedding: null,
    embeddingModel: null,
    languageHub: 'https://github.com',
    modelHub: 'https://huggingface.co',
    local: { folder: resolve('.memoir/models'), setting: null, threads: 1, batchTokens: 1_024 },
    localServers: [
      { name: 'ollama', address: 'http://127.0.0.1:11434' },
      { name: 'lmstudio', address: 'http://127.0.0.1:1234' },
      { name: 'llamacpp', address: 'http://127.0.0.1:8080' },
      { name: 'vllm', address: 'http://127.0.0.1:8000' },
    ],
    reading: null,
    transcription: null,
    reranking: null,
    rerankEverySearchMs: null,
    role: 'all',
    warnings: [],
  });
});

test('two groups never give the same part of the config', () => {
  const values = Object.fromEntries(
    settings.map(([name, { type }]) => [name, type.safeParse(undefined).data]),
  );
  const keys = orderedGroups.flatMap((group) => Object.keys(group.view(values)));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.sort()).toEqual(
    Object.keys(loadConfig({}))
      .filter((key) => key !== 'warnings')
      .sort(),
  );
});

// The address of a database or of a mail server may hold a password.
test('every setting whose name says that it holds a secret is declared as one, and so are the addresses of a database and of a mail server', () => {
  const secrets = settings.filter(([, { secret }]) => secret).map(([name]) => name);
  expect(secrets).toEqual(
    settingNames.filter((name) =>
      /_KEY(?:_PREVIOUS)?$|_TOKEN$|_SECRET$|_PASSWORD$|(?:_DATABASE(?:_DIRECT)?|_SMTP)_URL$/.test(name),
    ),
  );
});

test('a role belongs to a process on a PostgreSQL; the embedded database has one process, which does everything', () => {
  const shared = {
    MEMOIR_DATABASE_URL: 'postgres://memoir@db.example/memoir',
    MEMOIR_SECRET_KEY: 'a secret key for tests, long enough',
    CHROMA_URL: 'http://chroma.example:8000',
  };
  expect(loadConfig({ ...shared, MEMOIR_ROLE: 'worker' }).role).toBe('worker');
  expect(() => loadConfig({ MEMOIR_ROLE: 'api' })).toThrow(
    'MEMOIR_ROLE is api, and the embedded database belongs to one process',
  );
  expect(() => loadConfig({ ...shared, MEMOIR_ROLE: 'both' })).toThrow('one of all, api, worker');
});

test('the host of a PostgreSQL may stand behind the database, as the folder of a Unix socket does for other programs', () => {
  const urlOf = (address: string, more: Record<string, string> = {}) =>
    loadConfig({
      ...{ MEMOIR_DATABASE_URL: address, CHROMA_URL: 'http://chroma.example:8000', ...more },
      MEMOIR_SECRET_KEY: 'a secret key for tests, long enough',
    }).database?.url;
  const password = { MEMOIR_DATABASE_PASSWORD: 'a/b' };
  expect(urlOf('postgres://ann@/memoir?host=/var/run/postgresql', password)).toBe(
    'postgres://ann:a%2Fb@%2Fvar%2Frun%2Fpostgresql/memoir',
  );
  expect(urlOf('postgresql:///memoir?host=/tmp&port=5433&user=ann&application_name=x')).toBe(
    'postgres://ann@%2Ftmp:5433/memoir?application_name=x',
  );
  expect(urlOf('postgres://ann@db.example/memoir?sslmode=verify-full')).toBe(
    'postgres://ann@db.example/memoir?sslmode=verify-full',
  );
  expect(() => urlOf('postgres:///memoir')).toThrow('or postgres://memoir@/memoir?host=/var/run/postgresql');
});

const bucket = { MEMOIR_BLOBS_KEY_ID: 'id', MEMOIR_BLOBS_SECRET: 'secret' };

test('a bucket is read with the beginning of its names, and its place has defaults', () => {
  expect(loadConfig({ ...bucket, MEMOIR_BLOBS_URL: 's3://notes/team/memoir/' }).blobs).toEqual({
    ...{ bucket: 'notes', prefix: 'team/memoir/', region: 'us-east-1', endpoint: null },
    ...{ keyId: 'id', secret: 'secret' },
  });
});

test('a bucket without its access key is refused, and an address of the web is no bucket', () => {
  expect(() => loadConfig({ MEMOIR_BLOBS_URL: 's3://notes' })).toThrow(
    'MEMOIR_BLOBS_URL needs MEMOIR_BLOBS_KEY_ID and MEMOIR_BLOBS_SECRET: the access key of the bucket.',
  );
  expect(() => loadConfig({ ...bucket, MEMOIR_BLOBS_URL: 'https://notes.example' })).toThrow(
    'expected a bucket, as in s3://my-bucket or s3://my-bucket/memoir',
  );
});

test('the key of a bucket without a bucket has no effect, and the start says so', () => {
  expect(loadConfig(bucket).warnings).toEqual([
    'MEMOIR_BLOBS_KEY_ID has no effect without MEMOIR_BLOBS_URL.',
    'MEMOIR_BLOBS_SECRET has no effect without MEMOIR_BLOBS_URL.',
  ]);
});

test('former secret keys are a list, and one that is too short is refused', () => {
  const [one, two] = ['a'.repeat(32), 'b'.repeat(32)];
  expect(loadConfig({ MEMOIR_SECRET_KEY_PREVIOUS: `${one}, ${two}` }).previousSecretKeys).toEqual([one, two]);
  const words = 'a key of several words, with a comma';
  expect(loadConfig({ MEMOIR_SECRET_KEY_PREVIOUS: `${one}\n${words}` }).previousSecretKeys).toEqual([
    one,
    words,
  ]);
  expect(() => loadConfig({ MEMOIR_SECRET_KEY_PREVIOUS: 'short' })).toThrow(
    'expected former keys of at least 32 characters, separated by commas',
  );
});

test('private sources are hosts with their ports, and others are refused', () => {
  expect(
    loadConfig({ MEMOIR_PRIVATE_SOURCES: 'Minio:9000, 10.0.0.5:8080 [fd00::1]:80' }).connections,
  ).toEqual({
    lookMinutes: null,
    privateHosts: ['minio:9000', '10.0.0.5:8080', 'fd00::1:80'],
  });
  expect(() => loadConfig({ MEMOIR_PRIVATE_SOURCES: 'http://minio' })).toThrow(
    'expected hosts with their ports, as in minio:9000,10.0.0.5:8080',
  );
});

test('an application of connections needs its id and its secret, and a tenant has a form', () => {
  const google = { MEMOIR_GOOGLE_CLIENT_ID: 'id', MEMOIR_GOOGLE_CLIENT_SECRET: 'secret' };
  expect(loadConfig(google).connectionApps).toEqual({ google: { clientId: 'id', clientSecret: 'secret' } });
  const microsoft = { MEMOIR_MICROSOFT_CLIENT_ID: 'id', MEMOIR_MICROSOFT_CLIENT_SECRET: 'secret' };
  expect(loadConfig(microsoft).connectionApps.microsoft?.tenant).toBe('common');
  expect(loadConfig({ MEMOIR_NOTION_CLIENT_ID: 'id' }).warnings).toEqual([
    'MEMOIR_NOTION_CLIENT_ID has no effect without MEMOIR_NOTION_CLIENT_SECRET.',
  ]);
  expect(() => loadConfig({ MEMOIR_MICROSOFT_TENANT: 'https://contoso' })).toThrow('MEMOIR_MICROSOFT_TENANT');
});

test('Chroma may lack container tags up to the size of which every vector is compared', () => {
  const largest = SEARCH_LIMITS.narrow;
  expect(loadConfig({ CHROMA_INDEX_FROM: `${largest}` }).chromaIndexFrom).toBe(largest);
  expect(() => loadConfig({ CHROMA_INDEX_FROM: `${largest + 1}` })).toThrow(
    `CHROMA_INDEX_FROM cannot be "${largest + 1}": expected a whole number from 0 to ${largest}`,
  );
});

test('the audit log keeps its rows for a number of days, or for ever', () => {
  expect(loadConfig({ MEMOIR_AUDIT_DAYS: '30' }).auditDays).toBe(30);
  expect(loadConfig({ MEMOIR_AUDIT_DAYS: 'forever' }).auditDays).toBeNull();
  for (const wrong of ['0', '99999999999', 'always'])
    expect(() => loadConfig({ MEMOIR_AUDIT_DAYS: wrong })).toThrow(
      `MEMOIR_AUDIT_DAYS cannot be "${wrong}": expected a whole number from 1 to 36500`,
    );
});

test('the log of requests is one of three kinds, and whole texts are warned of', () => {
  expect(loadConfig({ MEMOIR_REQUEST_LOG: 'off' }).requestLog).toBe('off');
  expect(loadConfig({ MEMOIR_REQUEST_LOG: 'full' }).warnings).toEqual([
    expect.stringContaining('texts of searches'),
  ]);
  expect(() => loadConfig({ MEMOIR_REQUEST_LOG: 'all' })).toThrow('one of off, meta, full');
});

test('metrics are off unless they are asked for, and a token without them is told', () => {
  const MEMOIR_METRICS_TOKEN = 'a-token-of-its-own';
  expect(loadConfig({}).metrics).toBeNull();
  expect(loadConfig({ MEMOIR_METRICS: 'on', MEMOIR_METRICS_TOKEN }).metrics).toEqual({
    token: MEMOIR_METRICS_TOKEN,
  });
  expect(loadConfig({ MEMOIR_METRICS_TOKEN }).warnings).toEqual([
    'MEMOIR_METRICS_TOKEN has no effect without MEMOIR_METRICS.',
  ]);
  expect(() => loadConfig({ MEMOIR_METRICS: 'yes' })).toThrow('on or off');
  expect(() => loadConfig({ MEMOIR_METRICS: 'on', MEMOIR_METRICS_TOKEN: 'short' })).toThrow('16 characters');
});

const mail = {
  ...{ MEMOIR_SMTP_URL: 'smtp://ada:p%40ss@mail.example.org', MEMOIR_MAIL_FROM: 'Memoir <m@example.org>' },
  ...{ MEMOIR_BASE_URL: 'https://memory.example.org', MEMOIR_TRUSTED_PROXIES: 'loopback' },
};

test('a mail server is an address with its password, and needs a sender and the address of links', () => {
  expect(loadConfig(mail).smtp).toEqual({
    ...{ host: 'mail.example.org', port: 587, tls: false, requireTls: true, user: 'ada', password: 'p@ss' },
    from: 'Memoir <m@example.org>',
  });
  const here = loadConfig({ ...mail, MEMOIR_SMTP_URL: 'smtps://127.0.0.1:465' }).smtp;
  expect(here).toMatchObject({ port: 465, tls: true, requireTls: false });
  expect(() => loadConfig({ MEMOIR_SMTP_URL: mail.MEMOIR_SMTP_URL })).toThrow(
    /MEMOIR_SMTP_URL needs MEMOIR_MAIL_FROM.*\n.*MEMOIR_SMTP_URL needs MEMOIR_BASE_URL/,
  );
  expect(() => loadConfig({ ...mail, MEMOIR_SMTP_URL: 'mail.example.org' })).toThrow(
    'the address of a mail server',
  );
  expect(() => loadConfig({ MEMOIR_TIMEZONE: 'Mars/Olympus' })).toThrow('a time zone, as in Europe/Berlin');
});

test('a provider of identities needs its three settings, and the address that it sends people back to', () => {
  const oidc = {
    ...{ MEMOIR_OIDC_ISSUER: 'https://id.example.org', MEMOIR_OIDC_CLIENT_ID: 'memoir' },
    ...{ MEMOIR_OIDC_CLIENT_SECRET: 'secret', MEMOIR_OIDC_DOMAINS: 'Example.org, example.com' },
  };
  expect(loadConfig({ ...mail, ...oidc }).oidc).toMatchObject({ domains: ['example.org', 'example.com'] });
  expect(() => loadConfig(oidc)).toThrow('MEMOIR_OIDC_ISSUER needs MEMOIR_BASE_URL');
  expect(() => loadConfig({ MEMOIR_OIDC_ISSUER: 'https://id.example.org' })).toThrow(
    'MEMOIR_OIDC_CLIENT_ID and MEMOIR_OIDC_CLIENT_SECRET are missing',
  );
});
