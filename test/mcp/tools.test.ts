// Tests of the five tools over each transport and protocol generation.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/app/log.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { timePasses } from '../support/until.ts';
import { type Generation, openAgent, type Progress, type TestAgent } from './support/agents.ts';

/** A page that never comes, so that its document is processed for as long as a test needs. */
const SLOW = 'https://slow.example';

let memoir: OwnMemoir;
let page: Server;
/** Every called operation, in order. */
const operations: string[] = [];

const write = (line: string): void => {
  const { operation } = JSON.parse(line) as { operation?: string };
  if (operation !== undefined) operations.push(operation);
};

beforeAll(async () => {
  page = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => page.once('listening', resolve));
  const standIns = { [SLOW]: `http://127.0.0.1:${(page.address() as AddressInfo).port}` };
  memoir = await startMemoir({}, { standIns, log: createLog({ level: 'debug', destination: { write } }) });
  // The rules that draw memories are loaded for the first document: seconds on a busy machine, and `add` waits two of them.
  const { body } = await memoir.ask<{ id: string }>('POST', '/v3/documents', { content: 'I like rain.' });
  await memoir.remembered(body.id);
});
afterAll(async () => {
  page.closeAllConnections();
  page.close();
  await memoir.close();
});

const ways = (['2026', '2025'] as const).flatMap((generation) =>
  (['http', 'stdio'] as const).map((way) => ({ generation, way })),
);

/** Until a number stays the same for a while. */
const settles = async (read: () => number): Promise<boolean> => {
  for (let round = 0; round < 6; round++) {
    const before = read();
    await timePasses(700, 'a stream that is asked again is asked within this time');
    if (read() === before) return true;
  }
  return false;
};

describe.each(ways)('a client of $generation over $way', ({ generation, way }) => {
  const tag = `ada_${generation}_${way}`;
  const other = `ben_${generation}_${way}`;
  let full: TestAgent;
  let bound: TestAgent;
  let several: TestAgent;
  let reader: TestAgent;

  const open = (key: string, of: Generation = generation): Promise<TestAgent> =>
    openAgent(
      of,
      way === 'http' ? { url: memoir.url, key } : { args: ['--url', memoir.url, '--api-key', key] },
    );

  beforeAll(async () => {
    const [one, two, read] = await Promise.all([
      memoir.scopedKey([tag]),
      memoir.scopedKey([tag, other]),
      memoir.scopedKey([tag], { permission: 'read' }),
    ]);
    [full, bound, several, reader] = await Promise.all([open(memoir.key), open(one), open(two), open(read)]);
  });
  afterAll(() => Promise.all([full, bound, several, reader].map((agent) => agent?.close())));

  const remember = async (content: string): Promise<string> => {
    const { data } = await bound.call('add', { content, wait: 20 });
    await memoir.remembered(String(data.id));
    return String(data.id);
  };

  test('sees the five tools in a fixed order, each with its hints and both schemas', async () => {
    const tools = await full.tools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['add', 'delete', 'forget', 'profile', 'search']);
    expect((await full.tools()).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { annotations, outputSchema, description } of tools) {
      expect(Object.keys(annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(description?.length).toBeGreaterThan(40);
    }
  });

  test('waits for the memories of what it adds, so that a profile that follows at once holds them', async () => {
    const containerTag = `${tag}-waits`;
    await full.call('add', { content: 'I was born in Tromsø.', containerTag, wait: 20 });
    const { data } = await full.call('profile', { containerTag });
    expect(JSON.stringify(data)).toContain('born in Tromsø');
  });

  test('sees no container tag field with a key for one tag, and its default with others', async () => {
    const fields = async (agent: TestAgent, name: string) =>
      (await agent.tools()).find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    expect(Object.keys(await fields(bound, 'search'))).not.toContain('containerTag');
    expect(await fields(several, 'search')).toMatchObject({
      containerTag: { description: expect.stringContaining(`Default ${tag}`) },
    });
    expect(await fields(full, 'add')).toMatchObject({
      containerTag: { description: expect.stringContaining('Default sm_project_default') },
    });
  });

  test('adds, finds, reads the profile, forgets and deletes', async () => {
    const added = await bound.call('add', { content: 'Ada prefers green tea.', wait: 20 });
    const id = String(added.data.id);
    expect(added).toMatchObject({ isError: false, data: { status: 'done' }, text: `done ${id}` });
    await memoir.remembered(id);

    const found = await bound.call('search', { query: 'What does Ada like to drink?' });
    expect(found.data.results).toEqual([expect.objectContaining({ documentId: id })]);
    expect(found.text).toContain('green tea');
    expect((await bound.call('profile', {})).text).toContain('green tea');

    const dry = await bound.call('forget', { query: 'green tea', dryRun: true });
    expect(dry.data).toMatchObject({ forgotten: 0, dryRun: true });
    const [memory] = dry.data.memories as { id: string; memory: string }[];
    expect((await bound.call('profile', {})).text).toContain('green tea');
    const gone = await bound.call('forget', { text: memory?.memory });
    expect(gone.data).toEqual({ forgotten: 1, memories: [memory] });
    expect((await bound.call('profile', {})).text).not.toContain('green tea');

    expect((await bound.call('delete', { id })).data).toEqual({ deleted: 1, ids: [id] });
    expect((await bound.call('search', { query: 'What does Ada like to drink?' })).data.results).toEqual([]);
  });

  test('forgets by id and by query, and gets the names of the forgotten memories', async () => {
    await remember('Ada rows on Tuesdays.');
    const named = await bound.call('forget', { query: 'rowing', dryRun: true });
    const [memory] = named.data.memories as { id: string }[];
    expect((await bound.call('forget', { id: memory?.id })).data).toMatchObject({ forgotten: 1 });
    await remember('Ada owns a red bicycle.');
    const went = await bound.call('forget', { query: 'forget everything about the bicycle' });
    expect(went.data).toMatchObject({ forgotten: 1 });
    expect(went.text).toContain('bicycle');
  });

  test('learns what is most similar, and what it can do, where nothing matches what it would forget', async () => {
    await remember('Ada repairs old typewriters.');
    for (const dryRun of [true, false]) {
      const { data, text, isError } = await bound.call('forget', {
        query: 'the typewriter that I broke',
        dryRun,
      });
      expect([isError, data.forgotten, data.memories]).toEqual([false, 0, []]);
      expect(data.notes).toContainEqual(expect.stringMatching(/^\[\w+\] Ada repairs old typewriters/));
      expect(data.notes).toContainEqual(expect.stringMatching(/What only documents say stays/));
      expect(text).toBe(
        ['No memory matches; nothing was forgotten.', ...(data.notes as string[])].join('\n'),
      );
    }
    await bound.call('forget', { query: 'typewriters' });
  });

  test('forgets a memory by a text that differs in case, spaces or its end alone', async () => {
    await remember('Ada repairs old clocks.');
    const { data } = await bound.call('forget', { text: 'ada repairs  old clocks', dryRun: true });
    expect(data.memories).toEqual([expect.objectContaining({ memory: expect.stringContaining('clocks') })]);
    expect((await bound.call('forget', { text: 'Ada repairs clocks' })).isError).toBe(true);
    await bound.call('forget', { query: 'clocks' });
  });

  test('reads a statement once, not again as the passage that says the same', async () => {
    await remember('Ada owns a sundial.');
    const { data } = await bound.call('search', { query: 'Who owns a sundial?' });
    expect(data.results).toEqual([expect.objectContaining({ memory: expect.stringContaining('sundial') })]);
    expect((data.results as object[])[0]).not.toHaveProperty('passage');
    await bound.call('forget', { query: 'sundial' });
  });

  test('gets a hint at the other tags with an empty profile', async () => {
    const { text } = await several.call('profile', { containerTag: other });
    expect(text).toContain('Nothing is known yet.');
    expect(text).toContain(`Other container tags: "${tag}"`);
  });

  const refusals = [
    ['add', {}, /content: is required/],
    ['add', { content: ' ' }, /content: must not be blank/],
    ['add', { content: 'x', wait: 60 }, /wait: /],
    ['add', { content: 'x', metadata: { a: { b: 1 } } }, /metadata/],
    ['search', {}, /query: is required/],
    ['search', { query: '' }, /search: query: must not be empty\.$/],
    ['search', { query: 'x', limit: 1000 }, /limit: /],
    ['search', { q: 'x' }, /query: is required; q: is not a known field/],
    ['search', { query: 'x', containerTag: 'somebody_else' }, /may only use the container tag "ada_/],
    ['profile', { containerTag: 'somebody_else' }, /leave containerTag out/],
    ['forget', {}, /exactly one of id, text or query/],
    ['forget', { id: 'a', query: 'b' }, /exactly one of id, text or query/],
    [
      'add',
      { content: 'x', facts: [{ content: 'y', replaces: 'z' }] },
      /has the id "z".*Search for the memory/,
    ],
    ['forget', { id: 'nobody' }, /can be forgotten has the id "nobody".*Use search/],
    ['forget', { text: 'Nobody ever said this.' }, /has exactly this text; nothing was forgotten/],
    ['delete', {}, /id: is required/],
    ['delete', { id: 'nothing' }, /customId "nothing"; nothing was deleted. Use search/],
  ] as const;
  test.each(refusals)('gets an instruction when %s is called with %j', async (name, args, sentence) => {
    const { isError, text } = await bound.call(name, args);
    expect(text).toMatch(sentence);
    expect(isError).toBe(true);
  });

  test('gets the tags that its key may use, and a refusal when a read-only key writes', async () => {
    const foreign = await several.call('search', { query: 'x', containerTag: 'somebody_else' });
    expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining(`"${tag}", "${other}"`) });
    for (const [name, args] of [
      ['add', { content: 'x' }],
      ['forget', { query: 'x' }],
      ['delete', { id: 'x' }],
    ] as const)
      expect(await reader.call(name, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining('may only read'),
      });
  });

  test('finds only documents within reach of its key, and gets a hint at the other tags', async () => {
    const { data } = await several.call('add', {
      content: 'Ben moved to Munich.',
      containerTag: other,
      wait: 20,
    });
    expect((await bound.call('search', { query: 'Who moved to Munich?' })).data).toEqual({ results: [] });
    const elsewhere = await several.call('search', { query: 'Who moved to Munich?' });
    expect(elsewhere.text).toContain(`Other container tags: "${other}"`);
    const there = await several.call('search', { query: 'Who moved to Munich?', containerTag: other });
    expect(there.text).toContain('Munich');
    const refused = await bound.call('delete', { id: data.id });
    expect(refused.isError).toBe(true);
    expect((await several.call('delete', { id: data.id })).isError).toBe(false);
  });

  test('gets progress, waits no longer than announced, and learns from a search which documents are still processed', async () => {
    const heard: Progress[] = [];
    const onprogress = (progress: Progress) => void heard.push(progress);
    const content = `${SLOW}/${generation}/${way}`;
    const { data } = await bound.call('add', { content, wait: 3 }, { onprogress });
    expect(heard.map(({ message }) => message)).toEqual(['queued', 'extracting']);
    expect(heard.map(({ progress, total }) => [progress, total])).toEqual([
      [1, 5],
      [2, 5],
    ]);
    expect(data.status).not.toBe('done');
    const { text } = await bound.call('search', { query: 'anything at all' });
    expect(text).toMatch(/1 document is still being processed: search again soon/);
    await bound.call('delete', { id: data.id });
    const failed = await bound.call('add', { content: 'http://127.0.0.1:1/', wait: 20 });
    expect(failed).toMatchObject({
      isError: true,
      text: expect.stringMatching(/could not be processed: \S/),
    });
    expect((await bound.call('search', { query: 'anything at all' })).text).toMatch(
      /1 document failed, most recently/,
    );
    const [, id] = /document (\w+),/.exec(failed.text) ?? [];
    await bound.call('delete', { id });
  });

  test('can cancel a wait, and the processing of the document goes on', async () => {
    const agent = await open(memoir.key);
    const controller = new AbortController();
    const content = `${SLOW}/cancel/${generation}/${way}`;
    const customId = `cancel-${generation}-${way}`;
    const stored = Promise.withResolvers<void>();
    const options = { signal: controller.signal, onprogress: () => stored.resolve() };
    const call = agent.call('add', { content, customId, containerTag: tag, wait: 20 }, options);
    const ended = call.then(
      () => 'answered',
      () => 'cancelled',
    );
    await stored.promise;
    controller.abort(new Error('Changed my mind.'));
    expect(await ended).toBe('cancelled');
    // Over HTTP a client of 2025 can say so in no message: the end of its connection says it.
    await agent.close();
    const reads = () => operations.filter((name) => name === 'documents.get').length;
    expect(await settles(reads)).toBe(true);
    const { status } = (await memoir.ask('GET', `/v3/documents/${customId}`)).body;
    expect(status).toMatch(/queued|processing/);
    await memoir.ask('DELETE', `/v3/documents/${customId}`);
  });

  test('reads profiles and documents as resources, and completes tags', async () => {
    const id = await remember('Ada lives in Lyon.');
    expect(await bound.read('memory://profile')).toContain('Lyon');
    expect(await full.read(`memory://profile/${tag}`)).toContain('Lyon');
    expect(await bound.read(`memory://documents/${id}`)).toMatch(/status: done[\s\S]*Ada lives in Lyon/);
    await expect(bound.read('memory://documents/nothing')).rejects.toThrow(/No document/);
    await expect(bound.read('memory://profile/somebody_else')).rejects.toThrow(/may not use/);
    expect(await bound.prompt('context', {})).toContain('Lyon');
    expect(await several.complete('memory://profile/{containerTag}', 'containerTag', 'ada_')).toEqual([tag]);
    await bound.call('delete', { id });
  });
});
