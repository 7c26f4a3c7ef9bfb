// A data folder that an older release wrote opens with the present code, and everything in it is still there.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastingPart, type OldFolder } from '../fixtures/data-folders/answers.ts';
import { readingBack } from '../fixtures/data-folders/steps.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { askStep } from './play.ts';
import { serveFolder, type TourServer } from './server.ts';
import type { Step } from './step.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'data-folders');
const LIMIT_MS = 60_000;

const names = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.tar.gz'))
  .map((file) => file.slice(0, -'.tar.gz'.length));

interface OldDocument {
  title: string | null;
  status: string;
}

/** Fields of documents and keys that the older release did not answer, or that are filled in the background. */
const LATER = new Set(['title', 'summary', 'raw', 'latestRevision', 'kind', 'notifiedAt']);

const untitled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(untitled);
  if (typeof value !== 'object' || value === null) return value;
  const lasting = Object.entries(value).filter(([field]) => !LATER.has(field));
  return Object.fromEntries(lasting.map(([field, inner]) => [field, untitled(inner)]));
};

const search = (q: string, containerTag: string): Step => ({
  operation: 'search.memories',
  title: 'A search',
  method: 'POST',
  path: '/v4/search',
  body: { q, containerTag, searchMode: 'hybrid', threshold: 0 },
});

const add = (content: string, containerTag: string): Step => ({
  operation: 'documents.add',
  title: 'A new text',
  method: 'POST',
  path: '/v3/documents',
  body: { content, containerTag },
  save: { added: 'id' },
  as: 'lasting',
});

const settled: Step = {
  operation: 'documents.get',
  title: 'The new text when it is processed',
  method: 'GET',
  path: '/v3/documents/$added',
  until: { status: ['done'], dreamingStatus: ['done'] },
};

const renewed: Step = {
  operation: 'spaces.status',
  title: 'The space of the present version',
  method: 'GET',
  path: '/v3/spaces',
  until: { 'active.model': ['words-and-meaning-1'] },
};

describe.each(names)('the data folder %s', (name) => {
  const old = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as OldFolder;
  const dir = newDataFolder('old');
  const saved = new Map(Object.entries(old.saved));
  let server: TourServer;
  beforeAll(async () => {
    execFileSync('tar', ['-xzf', join(FIXTURES, `${name}.tar.gz`), '-C', dir]);
    server = await serveFolder(CHECKOUT, dir, old.key);
  }, LIMIT_MS);
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  const ask = (step: Step) => askStep({ url: server.url, saved, key: old.key }, step);

  /** The vectors of the builtin embedder are renewed, so that its space is another one. */
  const lasting = readingBack.filter(({ operation }) => operation !== 'spaces.status');

  test.each(lasting.map((step) => [step.title, step] as const))(
    'shows as before: %s',
    async (title, step) => {
      const { status, body } = await ask(step);
      expect(untitled({ status, body: lastingPart(body) })).toEqual(untitled(old.answers[title]));
    },
  );

  test('gives the original of an uploaded file', async () => {
    const { body } = await ask({
      operation: 'documents.fileUrl',
      title: 'The link',
      method: 'GET',
      path: '/v3/documents/$prices/file-url',
    });
    const { url } = body as { url: string };
    expect(await (await fetch(url)).text()).toBe('fruit,price\napple,3\npear,4\n');
  });

  test('gives every document a title and a summary, and keeps a title that was there', async () => {
    const documents = Object.keys(old.saved).flatMap((name) => {
      const former = old.answers[`The document ${name}`]?.body as OldDocument | undefined;
      return former?.status === 'done' ? [{ name, former }] : [];
    });
    expect(documents.length).toBeGreaterThan(3);
    for (const { name, former } of documents) {
      const { body } = await ask({
        operation: 'documents.get',
        title: `The title of ${name}`,
        method: 'GET',
        path: `/v3/documents/$${name}`,
        until: { 'raw.summaryOrigin': ['drawn'] },
      });
      const { title, summary } = body as OldDocument & { summary: string };
      expect(title, name).toBe(former.title ?? title);
      expect([title ?? '', summary], name).not.toContain('');
    }
  });

  test('finds what was stored before', async () => {
    const { body } = await ask(search('Which tea does Ada prefer?', 'ada'));
    expect(JSON.stringify(body)).toContain('green tea');
  });

  test(
    'takes new content with a key that was made before, and finds both',
    async () => {
      await ask(add('Ada keeps her tea in a blue tin.', 'ada'));
      await ask(settled);
      const { body } = await ask(search('Where does Ada keep her tea?', 'ada'));
      expect(JSON.stringify(body)).toContain('blue tin');
      expect(JSON.stringify(body)).toContain('green tea');
    },
    LIMIT_MS,
  );

  test(
    'gets new vectors from the builtin embedder without a request, and finds what was stored by them',
    async () => {
      await ask(renewed);
      const found = await ask({ ...search('Which tea does Ada prefer?', 'ada'), title: 'By meaning' });
      expect(JSON.stringify(found.body)).toContain('green tea');
    },
    LIMIT_MS,
  );
});
