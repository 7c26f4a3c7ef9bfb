// GET /metrics: off unless asked for, closed to others, and of a size that what is stored does not change.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { startSmtp, type TestSmtp } from '../support/smtp.ts';
import { found } from '../support/until.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { useMemoir, useOwnMemoir } from './support/use-memoir.ts';

const TOKEN = 'a-token-for-metrics-alone';
const OPERATIONS = join(import.meta.dirname, '../../docs/operations');

let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.close());

const off = useMemoir();
const api = useOwnMemoir(() => ({
  ...{ MEMOIR_METRICS: 'on', MEMOIR_METRICS_TOKEN: TOKEN, MEMOIR_BASE_URL: 'http://memoir.example' },
  ...{ MEMOIR_SMTP_URL: smtp.url, MEMOIR_MAIL_FROM: 'memoir@example.org' },
}));

const KEYS = 200;
const TAGS = 1_000;
const AT_ONCE = 20;

/** A few at a time. */
const inTurns = async <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  while (done.length < count) {
    const from = done.length;
    done.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(from + at)))));
  }
  return done;
};

const ask = (key: string | null, url = api.memoir.url): Promise<Response> =>
  fetch(`${url}/metrics`, key === null ? {} : { headers: { authorization: `Bearer ${key}` } });

const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)(?: \d+)?$/;

interface Sample {
  name: string;
  labels: string;
  value: number;
}

/** Every line of the text, as a collector reads it; a line that is none fails. */
const parse = (text: string): { samples: Sample[]; types: Map<string, string> } => {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    if (line.startsWith('#')) continue;
    const sample = SAMPLE.exec(line);
    if (sample === null) throw new Error(`This is no sample: ${line}`);
    samples.push({ name: sample[1] ?? '', labels: sample[2] ?? '', value: Number(sample[3]) });
  }
  return { samples, types };
};

/** Steps of background work that began meanwhile are others. */
const ofCalls = (samples: readonly Sample[]): number =>
  samples.filter(({ name }) => !name.startsWith('memoir_step_')).length;

const read = async () => parse(await (await ask(TOKEN)).text());

const valueIn =
  (samples: readonly Sample[]) =>
  (name: string, ...labels: string[]): number | undefined =>
    samples.find((each) => each.name === name && labels.every((label) => each.labels.includes(label)))?.value;

/** Once it is above zero: steps are told once a second. */
const counted = (name: string, ...labels: string[]): Promise<number> =>
  found(`${name} ${labels.join()}`, async () => valueIn((await read()).samples)(name, ...labels) || null);

describe('metrics', () => {
  verifies('metrics:off:404', 'do not exist unless they are asked for', async () => {
    expect((await ask(off.memoir.key, off.memoir.url)).status).toBe(404);
  });

  verifies('metrics:read:closed', 'are for full keys and for their own token', async () => {
    const scoped = await scopedKey(api, { containerTag: api.newTag() });
    const reader = await agentKey(api, { permission: 'read' });
    expect((await ask(null)).status).toBe(401);
    expect((await ask('sm_nobody_and_nothing_at_all')).status).toBe(401);
    expect((await ask(scoped.key)).status).toBe(403);
    expect((await ask(reader.key)).status).toBe(403);
    expect((await ask(api.memoir.key)).status).toBe(200);
    const answer = await ask(TOKEN);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
    ]);
    const { status } = await api.ask('GET', '/v3/session', undefined, { key: TOKEN });
    expect(status, 'the token opens nothing else').toBe(401);
  });

  verifies('metrics:labels:bounded', 'count calls, and hold no tag, key or word of anybody', async () => {
    const before = (await read()).samples;
    const keys = await inTurns(KEYS, (at) => agentKey(api, { name: `quokka-key-${at}` }));
    await inTurns(TAGS, (at) =>
      api.ask('POST', '/v4/search', { q: 'quokkaberry', containerTag: `quokka-tag-${at}` }, keys[at % KEYS]),
    );
    for (let at = 0; at < 40; at++) {
      const containerTag = `quokka-tag-${at}`;
      await api.ask('POST', '/v3/documents', { content: 'quokkaberry', containerTag }, keys[at]);
    }
    await api.ask('POST', '/v4/search', {});
    const { samples, types } = await read();
    expect(types.get('memoir_requests_total')).toBe('counter');
    expect(types.get('memoir_request_duration_seconds')).toBe('histogram');
    const value = valueIn(samples);
    expect(value('memoir_requests_total', 'operation="documents.add"', 'status="2xx"')).toBe(40);
    expect(value('memoir_requests_total', 'operation="search.memories"', 'status="4xx"')).toBe(1);
    expect(value('memoir_request_duration_seconds_count', 'operation="search.memories"')).toBe(TAGS + 1);
    expect(value('memoir_part_up', 'part="store"')).toBe(1);
    expect(value('memoir_db_bytes')).toBeGreaterThan(0);
    expect(samples.map(({ labels }) => labels).join('\n')).not.toMatch(/quokka/);
    expect(ofCalls(samples)).toBeLessThan(ofCalls(before) + 100);
    expect(samples.length).toBeLessThan(2_000);
  });

  verifies('metrics:steps:measured', 'measure the steps of background work, writes and mails', async () => {
    const tag = api.newTag();
    await api.add({ content: 'Ada plays the oboe in Porto.', containerTag: tag });
    const away = await api.add({ content: 'http://127.0.0.1:1/away', containerTag: tag });
    expect(away.status).toBe('failed');
    await api.ask('POST', '/v3/auth/team/invite', { email: 'grace@example.org' });
    await smtp.mailTo('grace@example.org');
    const hasChroma = api.memoir.database === null;
    const steps = ['chunking', 'extracting', 'embedding', 'committing', 'remembering'];
    for (const step of hasChroma ? [...steps, 'indexing'] : steps)
      expect([step, await counted('memoir_step_duration_seconds_count', `step="${step}"`)]).toEqual([
        step,
        expect.any(Number),
      ]);
    const code = `code="${away.failure?.code}"`;
    expect(await counted('memoir_step_failures_total', 'step="extracting"', code)).toBe(1);
    expect(await counted('memoir_mail_total', 'state="sent"')).toBe(1);
    const { samples, types } = await read();
    const value = valueIn(samples);
    expect(value('memoir_store_write_seconds_count')).toBeGreaterThan(1);
    expect(value('memoir_extract_child_restarts_total')).toBe(0);
    if (hasChroma && process.platform === 'linux')
      expect(value('memoir_chroma_rss_bytes')).toBeGreaterThan(1_000_000);
    expect(types.get('memoir_model_tokens_total')).toBe('counter');
    expect(samples.length).toBeLessThan(2_000);
  });

  test('the dashboard and the alerts name metrics that exist', async () => {
    const names = new Set((await read()).samples.map(({ name }) => name));
    const dashboard = readFileSync(join(OPERATIONS, 'grafana.json'), 'utf8');
    const alerts = readFileSync(join(OPERATIONS, 'alerts.yml'), 'utf8');
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
    const queries = [
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...[...alerts.matchAll(/expr: (.*)/g)].map(([, expr]) => expr ?? ''),
    ];
    expect(queries.length).toBeGreaterThan(15);
    const named = queries.flatMap((query) => query.match(/\b(?:memoir|nodejs|process)_\w+/g) ?? []);
    expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([]);
    const page = readFileSync(join(OPERATIONS, 'metrics.md'), 'utf8');
    const told = page.match(/`memoir_\w+`/g)?.map((name) => name.slice(1, -1)) ?? [];
    const known = (name: string) => names.has(name) || names.has(`${name}_count`);
    expect(told.filter((name) => !known(name))).toEqual([]);
  });
});
