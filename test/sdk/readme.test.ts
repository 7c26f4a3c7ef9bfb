// The samples of sdk/README.md: `npm run generate` copies the lines between the marks into the page.
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DocumentFailedError,
  filtersFor,
  Memoir,
  NotFoundError,
  RateLimitError,
} from '../../sdk/src/index.generated.ts';
import { useServer } from '../support/use-server.ts';

const memoir = useServer();
let client: Memoir;
let path: string;
beforeAll(async () => {
  client = new Memoir({ baseURL: memoir.url, apiKey: memoir.key });
  path = mkdtempSync(join(tmpdir(), 'memoir-readme-'));
  writeFileSync(join(path, 'report.md'), '# Report\n\nThe harbour was dredged in spring.\n');
});
afterAll(async () => {
  rmSync(path, { recursive: true });
});

test('a document can be added and found', async () => {
  // sample: start
  await client.documents.addAndWait({
    content: 'Ada prefers tea, and meetings before noon.',
    containerTag: 'user_ada',
    customId: 'notes-1',
  });
  const { results } = await client.search({
    q: 'What does Ada drink?',
    containerTag: 'user_ada',
    threshold: 0.3,
  });
  const { profile } = await client.profile({ containerTag: 'user_ada' });
  // end
  expect(results.length).toBeGreaterThan(0);
  expect(profile.static).toBeInstanceOf(Array);
});

test('a client for one tag uses that tag', async () => {
  // sample: tag
  const ada = client.tag('user_ada');
  await ada.documents.addAndWait({ content: 'Ada moved to Lisbon.' });
  const found = await ada.search({ q: 'Where did Ada move?' });
  // end
  expect(JSON.stringify(found.results)).toContain('Lisbon');
});

test('a caller can wait for a document', async () => {
  const content = 'A long report.';
  const signal = AbortSignal.timeout(60_000);
  const seen: string[] = [];
  const show = (line: string) => seen.push(line);
  // sample: wait
  const { id } = await client.add({ content });
  try {
    await client.documents.waitFor(id, {
      until: 'remembered', // its memories are drawn as well; the default is 'searchable'
      onProgress: ({ status, step }) => show(`${status}: ${step}`),
      signal,
    });
  } catch (error) {
    if (error instanceof DocumentFailedError) show(error.document.failure?.message ?? '');
    else throw error;
  }
  // end
  expect(seen.at(-1)).toBe('done: done');
});

test('a list can be iterated', async () => {
  const titles: (string | null)[] = [];
  // sample: lists
  for await (const document of client.documents.list({ containerTags: ['user_ada'] }))
    titles.push(document.title);

  const firstPage = await client.documents.list({ containerTags: ['user_ada'], limit: 50 });
  const { totalItems } = firstPage.pagination;
  // end
  expect(totalItems).toBe(titles.length);
});

test('a search can be filtered', async () => {
  // sample: filters
  const where = filtersFor<{ kind: 'note' | 'mail'; year: number }>();
  const { results } = await client.search({
    q: 'What was decided?',
    filters: where.and(where.eq('kind', 'note'), where.gte('year', 2025)),
  });
  // end
  expect(results).toEqual([]);
});

test('a file can be uploaded', async () => {
  const folder = path;
  // sample: files
  const { id } = await client.documents.uploadFile({
    file: createReadStream(`${folder}/report.md`), // or a File, Blob, Buffer, or what fetch() answers
    containerTag: 'user_ada',
    metadata: { kind: 'report' },
  });
  // end
  expect(await client.documents.waitFor(id)).toMatchObject({ raw: { fileName: 'report.md' } });
});

test('errors have classes of their own', async () => {
  let missing = false;
  // sample: errors
  try {
    await client.documents.get('no-such-document');
  } catch (error) {
    if (error instanceof NotFoundError) missing = true;
    else if (error instanceof RateLimitError)
      throw new Error(`Later, please: ${error.headers.get('retry-after')}`);
    else throw error;
  }
  // end
  expect(missing).toBe(true);
});

test('an answer is available raw', async () => {
  // sample: raw
  const { data, response, requestID } = await client.documents.list({}).withResponse();
  const raw = await client.settings.get().asResponse();
  // end
  expect([data.pagination.currentPage, response.status, raw.status]).toEqual([1, 200, 200]);
  expect(requestID).toBeTruthy();
});
