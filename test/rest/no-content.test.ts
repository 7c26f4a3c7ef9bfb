// None of the words that callers sent is in the log, the metrics, the log of requests, the usage or the audit log.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createLog } from '../../server/app/log.ts';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const lines: string[] = [];
const api = useOwnMemoir(() => ({ MEMOIR_METRICS: 'on' }), {
  log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
});

const WORDS = 1_000;
const AT_ONCE = 25;
const planted = Array.from({ length: WORDS }, (_, at) => `quokka${at}berry`);
const [stored, asked] = [planted.slice(0, WORDS / 2), planted.slice(WORDS / 2)];

const inGroups = (words: readonly string[]): string[][] =>
  Array.from({ length: words.length / AT_ONCE }, (_, at) => words.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

const filesOfDatabase = (): string =>
  readdirSync(api.memoir.dir)
    .filter((name) => name.startsWith('memoir.db'))
    .map((name) => readFileSync(join(api.memoir.dir, name), 'latin1'))
    .join('');

verifies('analytics:logs:no-content', 'a thousand planted words are in none of them', async () => {
  const tag = api.newTag();
  for (const [title = '', path = '', key = '', value = '', ...words] of inGroups(stored)) {
    const document = { content: words.join(' '), title, filepath: `/${path}`, metadata: { [key]: value } };
    const { id } = await api.add({ ...document, containerTag: tag });
    await api.ask('PATCH', `/v3/documents/${id}`, { metadata: { [value]: key } });
    await api.remove(id);
  }
  for (const [id = '', key = '', value = '', name = '', ...words] of inGroups(asked)) {
    const q = words.join(' ');
    const filters = { AND: [{ key, value }] };
    await api.ask('POST', '/v4/search', { q, containerTag: tag, filters });
    await api.ask('POST', '/v3/search', { q, containerTags: [tag], filters });
    await api.ask('POST', '/v4/profile', { containerTag: tag, q });
    await api.ask('GET', `/v3/documents/${id}`);
    await api.ask('POST', '/v4/search', { q, limit: name });
    await api.ask('POST', '/v4/memories/forget-matching', { containerTag: tag, query: q, dryRun: true });
  }
  const metrics = await fetch(`${api.memoir.url}/metrics`, {
    headers: { authorization: `Bearer ${api.memoir.key}` },
  });
  const { body } = await api.ask('GET', '/v3/analytics/requests?limit=100');
  const tables = ['requests', 'usage_calls', 'usage_tags', 'audit'];
  const rows = await Promise.all(tables.map((table) => storedRows(api.memoir, `select * from ${table}`)));
  expect(rows[0]?.length).toBeGreaterThan(100);
  expect(lines.length).toBeGreaterThan(100);
  const seen = {
    ...{ log: lines.join(''), metrics: await metrics.text(), answer: JSON.stringify(body) },
    rows: JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  };
  for (const [where, text] of Object.entries(seen))
    expect([where, planted.filter((word) => text.includes(word))]).toEqual([where, []]);
  // The words of questions are in no file at all.
  const files = filesOfDatabase();
  expect(asked.filter((word) => files.includes(word))).toEqual([]);
});
