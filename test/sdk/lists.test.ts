// Tests of lists, waiting, uploads and container tags against a running Memoir.
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DocumentFailedError,
  filtersFor,
  Memoir,
  NotFoundError,
  toFile,
  WaitTimeoutError,
  where,
} from '../../sdk/src/index.generated.ts';
import { useServer } from '../support/use-server.ts';
import { thrownBy } from './support/thrown-by.ts';

const memoir = useServer();
let client: Memoir;
let folder: string;
beforeAll(async () => {
  client = new Memoir({ baseURL: memoir.url, apiKey: memoir.key });
  folder = mkdtempSync(join(tmpdir(), 'memoir-sdk-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `Number ${n}.`);

const gathered = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
};

describe('a list', () => {
  test('gives one page when awaited, and every item of every page when iterated', async () => {
    await client.documents.batchAdd({ documents: numbered(45), containerTag: 'lists-many' });
    const page = await client.documents.list({ containerTags: ['lists-many'] });
    expect([page.memories.length, page.pagination.totalItems]).toEqual([10, 45]);
    const ids = (await gathered(client.documents.list({ containerTags: ['lists-many'] }))).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(45);
    const byQuery = await gathered(client.documents.listByQuery({ containerTags: 'lists-many', limit: 20 }));
    expect(new Set(byQuery.map(({ id }) => id))).toEqual(new Set(ids));
    const sizes = await gathered(
      client.documents.list({ containerTags: ['lists-many'], limit: 20, page: 2 }).pages(),
    );
    expect(sizes.map(({ memories }) => memories.length)).toEqual([20, 5]);
  });

  test('can be left early, and requests no unneeded page', async () => {
    let asked = 0;
    const counting = client.withOptions({
      log: ({ type }) => {
        if (type === 'request') asked += 1;
      },
    });
    for await (const { id } of counting.documents.list({ containerTags: ['lists-many'] })) if (id) break;
    expect(asked).toBe(1);
  });

  test('can be requested without arguments, and so can lists without pages', async () => {
    expect((await gathered(client.documents.list())).length).toBeGreaterThanOrEqual(45);
    expect((await gathered(client.containerTags.list())).map((tag) => tag.containerTag)).toContain(
      'lists-many',
    );
    expect((await gathered(client.keys.list())).length).toBeGreaterThan(0);
    expect(await gathered(client.connections.list())).toEqual([]);
    const [first] = await gathered(client.documents.list({ containerTags: ['lists-many'], limit: 1 }));
    await client.documents.waitFor(first?.id ?? '');
    expect(await gathered(client.documents.chunks(first?.id ?? ''))).toHaveLength(1);
  });
});

describe('waiting', () => {
  test('ends when the document can be searched, and reports the progress meanwhile', async () => {
    const seen: string[] = [];
    const document = await client.documents.addAndWait(
      { content: 'The ferry leaves at nine.', containerTag: 'waiting' },
      { onProgress: ({ status }) => seen.push(status), until: 'remembered' },
    );
    expect(document).toMatchObject({ status: 'done', dreamingStatus: 'done' });
    expect(seen.at(-1)).toBe('done');
    expect((await client.search({ q: 'When does the ferry leave?', containerTag: 'waiting' })).total).toBe(1);
  });

  test('fails with the reason of the document when it cannot be read', async () => {
    const file = createReadStream(join(import.meta.dirname, '../fixtures/samples/bad/enc-user.pdf'));
    const { id } = await client.documents.uploadFile({ file, containerTags: 'waiting' });
    const error = await thrownBy(client.documents.waitFor(id));
    expect(error).toBeInstanceOf(DocumentFailedError);
    expect((error as DocumentFailedError).document.failure?.message).toBeTruthy();
  });

  test('ends with a signal, with its time limit, and for a missing document', async () => {
    const { id } = await client.add({ content: numbered(3000).join('\n\n'), containerTag: 'waiting' });
    const abort = AbortSignal.abort();
    expect(await thrownBy(client.documents.waitFor(id, { signal: abort }))).toMatchObject({
      name: 'APIUserAbortError',
    });
    expect(await thrownBy(client.documents.waitFor(id, { waitFor: 0 }))).toBeInstanceOf(WaitTimeoutError);
    expect(await thrownBy(client.documents.waitFor('nobody'))).toBeInstanceOf(NotFoundError);
  });
});

describe('a file', () => {
  const text = 'The lighthouse was built in 1871.\n';
  const path = () => join(folder, 'light house.txt');
  beforeAll(() => writeFileSync(path(), text));

  const sources: [string, () => Parameters<typeof toFile>[0], string][] = [
    ['a stream of a path', () => createReadStream(path()), 'light house.txt'],
    ['a File', () => new File([text], 'file.txt'), 'file.txt'],
    ['a Blob', () => new Blob([text]), 'file'],
    ['a Buffer', () => Buffer.from(text), 'file'],
    ['a web stream', () => new Blob([text]).stream(), 'file'],
    [
      'an answer of fetch',
      () => fetch(`data:text/plain,${encodeURIComponent(text)}`),
      expect.any(String) as unknown as string,
    ],
  ];

  test.each(sources)('is uploaded from %s', async (_what, source, fileName) => {
    const containerTag = `file-${fileName}-${_what}`;
    const { id } = await client.documents.uploadFile({
      file: source(),
      containerTag,
      metadata: { kind: 'file' },
    });
    const document = await client.documents.waitFor(id);
    expect(document).toMatchObject({ content: expect.stringContaining('1871'), metadata: { kind: 'file' } });
    expect(document.raw).toMatchObject({ fileName, bytes: text.length });
  });

  test('carries several container tags, and keeps text in its fields unchanged', async () => {
    const { id } = await client.documents.uploadFile({
      ...{
        file: Buffer.from(text),
        containerTags: ['[one]', 'two, three'],
        customId: 'a,b',
        title: '{"x":1}',
      },
    });
    const document = await client.documents.waitFor(id);
    expect(document.containerTags).toEqual(['[one]', 'two, three']);
    expect(document).toMatchObject({ customId: 'a,b', title: '{"x":1}' });
  });

  test('gets the name that the caller sets', async () => {
    const file = await toFile(Buffer.from(text), 'tower.md', { type: 'text/markdown' });
    expect([file.name, file.type, file.size]).toEqual(['tower.md', 'text/markdown', text.length]);
  });
});

describe('a container tag', () => {
  test('of the client is used by every call that takes one and names none', async () => {
    const ada = client.tag('lists-ada');
    const { id } = await ada.add({ content: 'Ada rows on Sundays.' });
    expect((await client.documents.waitFor(id)).containerTags).toEqual(['lists-ada']);
    await ada.documents.waitFor(id, { until: 'remembered' });
    expect((await ada.search({ q: 'What does Ada do on Sundays?' })).total).toBe(1);
    expect((await ada.documents.list()).pagination.totalItems).toBe(1);
    expect((await ada.documents.listByQuery()).pagination.totalItems).toBe(1);
    expect((await ada.profile({ q: 'rowing' })).profile.static).toBeInstanceOf(Array);
    expect((await ada.documents.list({ containerTags: ['lists-many'] })).pagination.totalItems).toBe(45);
    const { id: file } = await ada.documents.uploadFile({ file: Buffer.from('Ada sings.') });
    expect((await client.documents.waitFor(file)).containerTags).toEqual(['lists-ada']);
  });

  test('of the client is never used by a deletion or a change', async () => {
    const bob = client.tag('lists-bob');
    const { id } = await bob.add({ content: 'Bob sings.' });
    await bob.documents.waitFor(id);
    expect(await thrownBy(bob.documents.deleteBulk({}))).toMatchObject({ status: 400 });
    await client.tag('lists-eve').documents.update(id, { metadata: { seen: true } });
    expect((await client.documents.get(id)).containerTags).toEqual(['lists-bob']);
  });
});

describe('filters', () => {
  test('find documents by text, number, list and their negations', async () => {
    const at = filtersFor<{ kind: 'note' | 'mail'; year: number; open: boolean }>();
    const metadata = [
      { kind: 'note', year: 2019, open: true },
      { kind: 'mail', year: 2021, open: false },
      { kind: 'note', year: 2023, open: false },
    ];
    const documents = metadata.map((each) => ({ content: `From ${each.year}.`, metadata: each }));
    await client.documents.batchAdd({ documents, containerTag: 'filtered' });
    const years = async (filters: ReturnType<typeof at.and>) =>
      (await gathered(client.documents.list({ containerTags: ['filtered'], filters })))
        .map((document) => document.metadata?.year)
        .sort();
    expect(await years(at.and(at.eq('kind', 'note'), at.gt('year', 2020)))).toEqual([2023]);
    expect(await years(at.or(at.lt('year', 2020), at.eq('kind', 'mail')))).toEqual([2019, 2021]);
    expect(await years(at.and(at.eq('year', 2021)))).toEqual([2021]);
    expect(await years(at.and(at.eq('open', false), at.not(at.eq('kind', 'mail'))))).toEqual([2023]);
    expect(await years(at.and(at.contains('kind', 'OT', { ignoreCase: true })))).toEqual([2019, 2023]);
    expect(await years(where.and(where.gte('year', 2021), where.lte('year', 2021)))).toEqual([2021]);
  });
});

describe('facts', () => {
  test('go with a text and with a file, and the answer names what they seem to change', async () => {
    const ada = client.tag('facts-ada');
    const first = await ada.add({
      content: 'A note.',
      facts: [{ content: 'Ada works as a nurse in Ghent' }],
    });
    await client.documents.waitFor(first.id);
    const known = await gathered(client.memories.list({ containerTags: ['facts-ada'] }));
    const changed = { content: 'Ada works as a teacher in Ghent', isStatic: true };
    const told = await ada.add({ content: 'News.', facts: [changed] });
    expect(told.similar).toEqual([{ id: known[0]?.id, memory: 'Ada works as a nurse in Ghent' }]);
    const replaced = { ...changed, replaces: known[0]?.id ?? '' };
    const facts = [{ content: 'Ada signed the lease' }];
    const file = await toFile(Buffer.from('A lease.'), 'lease.txt');
    const uploaded = await client.documents.uploadFile({ file, containerTags: 'facts-file', facts });
    await client.documents.waitFor(uploaded.id);
    const ofFile = await gathered(client.memories.list({ containerTags: ['facts-file'] }));
    expect(ofFile.map(({ memory }) => memory)).toEqual(['Ada signed the lease']);
    expect(
      await thrownBy(client.add({ content: 'x', containerTag: 'elsewhere', facts: [replaced] })),
    ).toBeInstanceOf(NotFoundError);
  });
});
