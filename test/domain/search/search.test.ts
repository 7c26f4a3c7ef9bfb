// Tests of the memory search and the document search over a real store.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoirError } from '../../../server/core/errors.ts';
import { PRIORS } from '../../../server/domain/search/ranking/priors.ts';
import { type OpenSearch, openSearch, silentEmbedder } from './open.ts';

const TALK = `Date: 2025-04-06
Ruth: How did the interview at the observatory go?
Daniel: They want me to start in June.
Ruth: Wonderful! I adopted a greyhound called Pepper.
Daniel: Does she like your rabbits?
Ruth: They live upstairs for now.
Daniel: I look for a flat near the mountain.
Ruth: My cousin Edith rents out a cottage.`;

const CHAT = `user: My thesis is about eels in the Elbe.
assistant: Eels in the Elbe migrate at night. A thesis about eels should cover the Elbe, its weirs and the sea.
user: My supervisor wants the figures in R.
assistant: Use one theme for all figures.`;

const statusOf = async (promise: Promise<unknown>): Promise<number> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof MemoirError) return error.status;
  throw new Error(`No MemoirError: ${String(error)}`);
};

let open: OpenSearch;
let ids: string[];

beforeAll(async () => {
  open = await openSearch();
  ids = await open.add('ana', [
    {
      content: 'The boiler pressure should sit between 1 and 1.5 bar.',
      customId: 'boiler',
      metadata: { room: 'cellar', year: 2024, endUserId: 'ana-1' },
    },
    {
      content: 'Order E4032-B is a spare valve for the boiler.',
      customId: 'valve',
      filepath: '/house/orders/valve.md',
    },
    {
      content: 'The photographer comes on Saturday to take the family pictures.',
      filepath: '/house/photos.md',
    },
    { content: 'the  photographer comes on saturday to take the family pictures.', customId: 'copy' },
    { content: TALK, customId: 'talk', title: 'A phone call' },
    { content: CHAT, customId: 'chat' },
  ]);
  await open.add('ben', ['The boiler in the other house is broken.']);
  await open.add('日本語', ['歯医者の予約は6月3日の午後4時です。', '自転車の鍵は玄関の青い箱に入っている。']);
  await open.add('lena', [
    'Die Heizung im Bad klopft; der Klempner kommt am Donnerstag.',
    'Café Zoé öffnet um acht.',
    'Wir haben drei Hunde aus dem Tierheim aufgenommen.',
  ]);
});
afterAll(() => open[Symbol.asyncDispose]());

const ana = () => open.searching()(['ana']);

describe('the memory search', () => {
  it('finds another form of a word in the language of the text', async () => {
    const { results } = await open
      .searching()(['lena'])
      .memories('Welcher Hund ist das?', { searchMode: 'hybrid' });
    expect(results[0]?.chunk).toContain('drei Hunde');
  });

  it('finds an irregular form of an English verb', async () => {
    await open.add('ola', ['Ola bought a canoe.', 'Ola paints a fence.']);
    const asked = { searchMode: 'keyword' } as const;
    const { results } = await open.searching()(['ola']).memories('What did Ola buy?', asked);
    expect(results[0]?.chunk).toContain('canoe');
  });

  it('answers chunks with every field of the contract, best first', async () => {
    const { results, total, timing } = await ana().memories('boiler pressure', { searchMode: 'hybrid' });
    expect(total).toBe(results.length);
    expect(timing).toBeGreaterThanOrEqual(0);
    expect(results[0]).toEqual({
      id: expect.any(String),
      chunk: 'The boiler pressure should sit between 1 and 1.5 bar.',
      content: 'The boiler pressure should sit between 1 and 1.5 bar.',
      match: { text: 'The boiler pressure should sit between 1 and 1.5 bar.', position: 0 },
      similarity: expect.any(Number),
      metadata: { room: 'cellar', year: 2024, endUserId: 'ana-1' },
      updatedAt: expect.stringMatching(/Z$/),
    });
    const similarities = results.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
  });

  it('finds passages in the mode "memories" too, while no memories are drawn from their documents', async () => {
    const memories = (await ana().memories('boiler pressure', { searchMode: 'memories' })).results;
    const hybrid = (await ana().memories('boiler pressure', { searchMode: 'hybrid' })).results;
    expect(memories).toEqual(hybrid);
    expect(memories.every((result) => !('memory' in result))).toBe(true);
  });

  it('finds an exact code by words and a related word form by meaning', async () => {
    const code = await ana().memories('E4032-B', { searchMode: 'keyword' });
    expect(code.results[0]?.chunk).toContain('E4032-B');
    expect(code.results[0]?.similarity).toBeGreaterThan(0.6);
    const form = await ana().memories('photography', { searchMode: 'semantic' });
    expect(form.results[0]?.chunk).toContain('photographer');
    expect((await ana().memories('photography', { searchMode: 'keyword' })).results).toEqual([]);
  });

  it('shows the speaker of a turn in a conversation', async () => {
    const { results } = await ana().memories("What is the name of Ruth's greyhound?", {
      searchMode: 'hybrid',
      window: 0,
    });
    expect(results[0]?.chunk).toBe('Ruth: Wonderful! I adopted a greyhound called Pepper.');
  });

  it('finds an answer by the question before it', async () => {
    const { results } = await ana().memories('Where do the rabbits live?', {
      searchMode: 'hybrid',
      limit: 3,
      window: 0,
    });
    expect(results.map(({ chunk }) => chunk)).toContain('Ruth: They live upstairs for now.');
  });

  it('prefers the words of the user to the reply of the assistant', async () => {
    const { results } = await ana().memories('thesis about eels in the Elbe', {
      searchMode: 'hybrid',
      onlyMatchingChunks: true,
    });
    expect(results[0]?.chunk).toBe('user: My thesis is about eels in the Elbe.');
    expect(results[1]?.chunk).toMatch(/^assistant: Eels/);
  });

  it('shows texts that differ in nothing but case and spaces once', async () => {
    const { results } = await ana().memories('photographer saturday', { searchMode: 'hybrid' });
    expect(results.filter(({ chunk = '' }) => /photographer/i.test(chunk))).toHaveLength(1);
  });

  it.each(['keyword', 'semantic'])(
    'with searchMode %s goes on behind more copies than it reads at first',
    async (searchMode) => {
      const copies = Array.from({ length: 120 }, () => 'The ferry to the island sails at noon.');
      await using open = await openSearch();
      await open.add('ferry', [...copies, 'Take the ferry, and bring the dog.']);
      const { results } = await open
        .searching()(['ferry'])
        .memories('the ferry to the island at noon', { searchMode, limit: 2 });
      expect(results).toHaveLength(2);
    },
  );

  it('applies the higher of threshold and chunkThreshold, and documentThreshold to whole documents', async () => {
    const all = (await ana().memories('boiler pressure', { searchMode: 'hybrid' })).results;
    const best = all[0]?.similarity ?? 0;
    const count = async (more: object) =>
      (await ana().memories('boiler pressure', { searchMode: 'hybrid', ...more })).results.length;
    expect(all.length).toBeGreaterThan(1);
    expect(await count({ threshold: best })).toBe(1);
    expect(await count({ chunkThreshold: best })).toBe(1);
    expect(await count({ documentThreshold: best })).toBe(1);
    expect(await count({ limit: 1 })).toBe(1);
    expect(await count({ threshold: 1 })).toBe(0);
  });

  it('adds source documents and chunks only on request', async () => {
    const ask = async (include: object) =>
      (await ana().memories('spare valve', { searchMode: 'memories', include })).results[0];
    expect(await ask({})).not.toHaveProperty('documents');
    expect((await ask({ documents: true }))?.documents).toEqual([
      {
        id: ids[1],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        title: 'Order E4032-B is a spare valve for the boiler',
        type: 'text',
        metadata: null,
      },
    ]);
    const summaries = (await ask({ summaries: true }))?.documents;
    expect(summaries).toEqual([
      {
        id: ids[1],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        summary: 'Order E4032-B is a spare valve for the boiler.',
      },
    ]);
    const chunks = await ask({ chunks: true });
    expect(chunks?.chunks).toEqual([
      { content: chunks?.chunk, score: chunks?.similarity, position: 0, documentId: ids[1] },
    ]);
    expect((await ask({}))?.filepath).toBe('/house/orders/valve.md');
  });

  it('shows a result with its neighbours and the day of its statement, and each passage once', async () => {
    const { results } = await ana().memories('rabbits upstairs', { searchMode: 'hybrid' });
    const [day, ...first] = results[0]?.chunk?.split('\n') ?? [];
    expect(day).toBe('Sunday 6 April 2025');
    expect(first.length).toBeGreaterThan(2);
    expect(first).toContain('Ruth: They live upstairs for now.');
    const lines = results.flatMap(({ chunk = '' }) => chunk.split('\n')).filter((line) => line.includes(':'));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('finds nothing for an unknown document, tag or text', async () => {
    expect((await ana().memories('boiler', { docId: 'nowhere' })).results).toEqual([]);
    expect((await open.searching()(['nobody']).memories('boiler')).results).toEqual([]);
    expect((await ana().memories('zeppelin', { searchMode: 'keyword' })).results).toEqual([]);
  });

  it('stops when the caller has gone', async () => {
    const gone = AbortSignal.abort();
    await expect(ana().memories('boiler', {}, gone)).rejects.toThrow(/abort/i);
  });
});

describe('a search can be restricted', () => {
  const chunks = async (more: object) =>
    (await ana().memories('boiler', { searchMode: 'hybrid', ...more })).results.map(
      ({ chunk = '' }) => chunk,
    );

  it('to the tags of the scope', async () => {
    expect((await chunks({})).join()).not.toContain('other house');
    const { results } = await open.searching()(['ana', 'ben']).memories('boiler', { searchMode: 'hybrid' });
    expect(results.map(({ chunk }) => chunk).join()).toContain('other house');
    expect(
      (await open.searching()(null).memories('boiler house', { searchMode: 'hybrid' })).total,
    ).toBeGreaterThan(0);
  });

  it('to a document by either of its ids, to a path or to a folder', async () => {
    for (const docId of ['boiler', ids[0]])
      expect(await chunks({ docId })).toEqual([expect.stringContaining('1.5 bar')]);
    expect(await chunks({ filepath: '/house/orders/valve.md' })).toEqual([expect.stringContaining('E4032')]);
    expect((await chunks({ filepath: '/house/' })).length).toBe(2);
  });

  it('by a filter, a user, or both', async () => {
    const room = { key: 'room', value: 'CELLAR', ignoreCase: true };
    const year = { key: 'year', value: '2020', filterType: 'numeric', numericOperator: '>' };
    expect(await chunks({ filters: { AND: [room, year] } })).toHaveLength(1);
    expect(await chunks({ filters: JSON.stringify({ AND: [{ ...year, negate: true }, room] }) })).toEqual([]);
    expect(await chunks({ endUserId: 'ana-1' })).toHaveLength(1);
    expect(await chunks({ endUserId: 'ana-2' })).toEqual([]);
    expect(
      await chunks({ endUserId: 'ana-1', filters: { OR: [{ key: 'room', value: 'attic' }, room] } }),
    ).toHaveLength(1);
    expect(await chunks({ endUserId: 'ana-1', filters: { AND: [{ key: 'room', value: 'attic' }] } })).toEqual(
      [],
    );
  });
});

describe('the document search', () => {
  it('groups matches by document, with the score of the best', async () => {
    const { results, total } = await ana().documents('eels thesis figures');
    expect(total).toBe(results.length);
    const [first] = results;
    expect(first).toMatchObject({ documentId: ids[5], type: 'text', metadata: null });
    expect(first?.chunks.length).toBeGreaterThan(1);
    expect(first?.score).toBe(Math.max(...(first?.chunks.map(({ score }) => score) ?? [])));
    expect(first?.chunks.every(({ isRelevant }) => isRelevant)).toBe(true);
    expect(first).not.toHaveProperty('content');
    expect(first).not.toHaveProperty('summary');
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('adds neighbours in reading order, marked, and full texts and summaries on request', async () => {
    const { results } = await ana().documents('greyhound', {
      onlyMatchingChunks: false,
      includeFullDocs: true,
      includeSummary: true,
      chunkThreshold: 0.5,
    });
    const [call] = results;
    expect(call?.title).toBe('A phone call');
    expect(call?.content).toContain('My cousin Edith');
    expect(call?.summary).toContain('I adopted a greyhound called Pepper.');
    const at = call?.chunks.findIndex(({ content }) => content.includes('greyhound')) ?? -1;
    expect(call?.chunks[at]?.isRelevant).toBe(true);
    expect(call?.chunks.map(({ content }) => content).slice(at - 2, at + 3)).toEqual([
      'Ruth: How did the interview at the observatory go?',
      'Daniel: They want me to start in June.',
      'Ruth: Wonderful! I adopted a greyhound called Pepper.',
      'Daniel: Does she like your rabbits?',
      'Ruth: They live upstairs for now.',
    ]);
    expect(call?.chunks.some(({ isRelevant, score }) => !isRelevant && score === 0)).toBe(true);
  });

  it('answers 404 to a missing document, and searches within an existing one', async () => {
    expect(await statusOf(ana().documents('boiler', { docId: 'nowhere' }))).toBe(404);
    expect(await statusOf(open.searching()(['ben']).documents('boiler', { docId: 'boiler' }))).toBe(404);
    const { results } = await ana().documents('eels', { docId: 'chat' });
    expect(results.map(({ documentId }) => documentId)).toEqual([ids[5]]);
  });

  it('leaves out weak chunks and weak documents, and respects the limit of documents', async () => {
    const all = (await ana().documents('boiler pressure')).results;
    const best = all[0]?.score ?? 0;
    expect(all.length).toBeGreaterThan(1);
    expect((await ana().documents('boiler pressure', { chunkThreshold: best })).total).toBe(1);
    expect((await ana().documents('boiler pressure', { documentThreshold: best })).total).toBe(1);
    expect((await ana().documents('boiler pressure', { limit: 1 })).total).toBe(1);
  });
});

describe('texts in other scripts and languages', () => {
  it('are found by words and by meaning', async () => {
    for (const searchMode of ['keyword', 'semantic', 'hybrid']) {
      const jun = await open.searching()(['日本語']).memories('歯医者の予約はいつですか？', { searchMode });
      expect(jun.results[0]?.chunk).toContain('歯医者');
      const lena = await open.searching()(['lena']).memories('Wer repariert die Heizung?', { searchMode });
      expect(lena.results[0]?.chunk).toContain('Heizung');
    }
  });

  it('are found without their accents', async () => {
    const { results } = await open.searching()(['lena']).memories('cafe zoe', { searchMode: 'keyword' });
    expect(results[0]?.chunk).toContain('Café Zoé');
  });
});

describe('an embedder that does not answer', () => {
  const without = () => open.searching({ space: { ...open.space, embedder: silentEmbedder() } })(['ana']);

  it('leaves the search to the words, and the answer reports it', async () => {
    const before = open.troubles.length;
    const { results } = await without().memories('boiler pressure', { searchMode: 'hybrid' });
    const byWords = await ana().memories('boiler pressure', { searchMode: 'keyword' });
    expect(results).toEqual(byWords.results);
    expect(open.troubles.slice(before)).toEqual([
      expect.stringMatching(/did not answer; searching by words alone/),
    ]);
  });

  it('makes a search by meaning alone a 503, as a missing embedding space does', async () => {
    expect(await statusOf(without().memories('boiler', { searchMode: 'semantic' }))).toBe(503);
    const none = open.searching({ space: null })(['ana']);
    expect(await statusOf(none.memories('boiler', { searchMode: 'semantic' }))).toBe(503);
    expect((await none.memories('boiler pressure', { searchMode: 'hybrid' })).total).toBeGreaterThan(0);
  });

  it('is waited for only for a limited time', async () => {
    const embedder = {
      ...silentEmbedder(),
      embedQuery: (_: string, __: unknown, signal?: AbortSignal) =>
        new Promise<Float32Array>((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        ),
    };
    const slow = open.searching({ space: { ...open.space, embedder }, limits: { embedMs: 20 } })(['ana']);
    expect((await slow.memories('boiler', { searchMode: 'hybrid' })).total).toBeGreaterThan(0);
  });
});

describe('the priors', () => {
  it('each have a name, a reason, a measured effect, and cases on both sides', () => {
    for (const { name, reason, measured, yes, no } of PRIORS) {
      expect(`${name} ${reason} ${measured}`).toMatch(/^\S.*\.\s.*without it/);
      expect(yes).not.toBe(no);
    }
    expect(new Set(PRIORS.map(({ name }) => name)).size).toBe(PRIORS.length);
  });
});
