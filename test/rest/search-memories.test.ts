// Searching memories: alone and together with the passages that they were drawn from.
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { firstOf, type MemoryHit, searchesOf, textOf } from './support/searches.ts';
import { create, readForMemories } from './support/tell.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories } = searchesOf(api);

const read = (tag: string, content: string, more: object = {}) =>
  readForMemories(api, tag, content, { ...more });

const texts = (hits: readonly MemoryHit[]): string[] => hits.map(textOf);
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Leaves out what is only a likely answer among few memories. */
const ABOVE_LIKELY = 0.61;

describe('the mode memories', () => {
  const containerTag = 'said of ida';
  beforeAll(async () => {
    await create(api, containerTag, [
      'Ida prefers liquorice tea.',
      { content: 'Ida plays the cello.', metadata: { topic: 'music' } },
      'Ida works as a surveyor in Tartu.',
      'Ida has two brothers, Mart and Priit.',
      'Ida sold the motorboat in August 2024.',
      'Ida sleeps badly at full moon.',
    ]);
  });

  verifies(
    ['search:modes:memories', 'search:modes:default', 'search:results:memory-or-chunk'],
    'the mode memories gives memories and no chunks, and is the default',
    async () => {
      const asked = { containerTag, threshold: 0 };
      const told = await memories('Which tea does Ida prefer?', { ...asked, searchMode: 'memories' });
      expect(told).toHaveLength(6);
      expect(told[0]).toEqual({
        id: expect.any(String),
        memory: 'Ida prefers liquorice tea.',
        content: 'Ida prefers liquorice tea.',
        similarity: expect.any(Number),
        metadata: null,
        updatedAt: expect.stringMatching(UTC),
        version: 1,
        isInference: false,
        isForgotten: false,
      });
      expect(await memories('Which tea does Ida prefer?', asked)).toEqual(told);
    },
  );

  verifies('search:v4:threshold', 'the mode memories keeps to the threshold as chunks do', async () => {
    const asked = { containerTag, threshold: ABOVE_LIKELY };
    expect(texts(await memories('Which tea does Ida prefer?', asked))).toEqual([
      'Ida prefers liquorice tea.',
    ]);
    expect(await memories('How do I repair a bicycle chain?', asked)).toEqual([]);
  });

  verifies(
    'search:modes:memories',
    'the mode memories gives the memory also where its passage comes along as the neighbour of another',
    async () => {
      const tag = api.newTag();
      await read(tag, 'Ida: I live in Tartu.');
      await read(tag, 'Bob: I could do it in Tartu some day.');
      const asked = { containerTag: tag, threshold: 0, searchMode: 'memories' };
      const [first, ...others] = await memories('Ida lives in Tartu', asked);
      expect(first?.memory).toBe('Ida lives in Tartu');
      expect(texts(others).join(' ')).not.toContain('I live in Tartu');
    },
  );

  verifies(
    'search:modes:stand-in',
    'the mode memories shows the passages of a document that has yielded no memory, and none of one that was added to be searched alone',
    async () => {
      const tag = api.newTag();
      await read(tag, 'Where is the ferry to the island, please?');
      await read(tag, 'The ferry to the island is painted white.', { taskType: 'superrag' });
      const asked = { containerTag: tag, threshold: 0 };
      expect(await memories('ferry to the island', asked)).toEqual([
        expect.objectContaining({ chunk: 'Where is the ferry to the island, please?' }),
      ]);
      expect(await memories('ferry to the island', { ...asked, searchMode: 'hybrid' })).toHaveLength(2);
    },
  );

  verifies(
    'search:modes:unanswered',
    'the mode memories finds in the passages what no memory says, and nothing there where a memory answers',
    async () => {
      const tag = api.newTag();
      const cellar = 'Ida keeps goats. How amazing that the cellar smells of juniper, wow!';
      await read(tag, cellar);
      await read(tag, 'The cellar smells of juniper, says the report.', { taskType: 'superrag' });
      const why = 'Why does the cellar smell of juniper?';
      expect((await memories(why, { containerTag: tag }))[0]?.chunk).toBe(cellar);
      const asked = { containerTag: tag, threshold: ABOVE_LIKELY };
      const found = await memories(why, asked);
      expect(found.map(({ chunk, passage }) => [chunk, passage])).toEqual([[cellar, undefined]]);
      expect(texts(await memories('What does Ida keep?', asked))).toEqual(['Ida keeps goats']);
      expect(await memories('How do I repair a bicycle chain?', asked)).toEqual([]);
    },
  );

  verifies(
    'memories:superrag:none',
    'the mode memories finds nothing of a document that was added to be searched alone',
    async () => {
      const tag = api.newTag();
      await read(tag, 'Olga keeps geese behind the barn.', { taskType: 'superrag' });
      expect(await memories('Olga keeps geese', { containerTag: tag })).toEqual([]);
      const found = await memories('Olga keeps geese', { containerTag: tag, searchMode: 'hybrid' });
      expect(found).toEqual([expect.objectContaining({ chunk: 'Olga keeps geese behind the barn.' })]);
    },
  );

  test('the mode memories finds a document the moment it is done, whether or not its memories are drawn by then', async () => {
    const tag = api.newTag();
    for (let number = 0; number < 15; number++) {
      await api.add({ content: `Barge ${number} carries gravel to lock ${number + 40}.`, containerTag: tag });
      const found = await memories(`What does barge ${number} carry?`, { containerTag: tag });
      expect(texts(found)[0]).toContain(`Barge ${number} carries gravel`);
    }
  });
});

describe('a memory and the passage that states it', () => {
  const containerTag = 'talk of ida and tom';
  let id: string;
  beforeAll(async () => {
    id = await read(
      containerTag,
      ['Ida: I adopted a donkey called Anselm.', 'Tom: Lovely! I am selling my caravan.'].join('\n'),
      { metadata: { place: 'stable' }, filepath: '/talks/donkey.txt', title: 'A call' },
    );
  });

  verifies(
    'search:hybrid:replaced-behind',
    'hybrid shows a passage whose only memory was replaced behind the memory that replaced it',
    async () => {
      const tag = api.newTag();
      await read(tag, 'Ida lives in Tartu with her brother Mart.');
      await read(tag, 'Ida moved to Narva.');
      const asked = { containerTag: tag, searchMode: 'hybrid' };
      const [first, second] = await memories('Where does Ida live?', asked);
      expect([first?.memory, second?.chunk]).toEqual([
        expect.stringContaining('Narva'),
        'Ida lives in Tartu with her brother Mart.',
      ]);
      expect(second?.similarity).toBeLessThanOrEqual(first?.similarity ?? 0);
    },
  );

  verifies(
    'search:hybrid:replaced-behind',
    'hybrid answers with the memory that replaced what a passage says of the query beside other things',
    async () => {
      const inTurn = async (...said: string[]): Promise<string> => {
        const tag = api.newTag();
        for (const one of said) await read(tag, one);
        return tag;
      };
      const english = await inTurn(
        'I live in Hamburg and work as a nurse at the clinic. My partner Jonas is a carpenter.',
        'We moved to Bremen last week.',
      );
      const german = await inTurn(
        'Ich heiße Klara und wohne in Freiburg. Mein Mann Peter ist Elektriker.',
        'Ich bin letzte Woche nach Basel umgezogen.',
      );
      for (const [containerTag, query, now, before] of [
        [english, 'Where do I live?', 'Bremen', 'I live in Hamburg'],
        [german, 'Wo wohne ich?', 'Basel', 'Freiburg'],
      ] as const) {
        const [first, second] = await memories(query, { containerTag, searchMode: 'hybrid' });
        expect(first?.memory).toContain(now);
        expect(second?.chunk).toContain(before);
        expect(second?.similarity).toBeLessThanOrEqual(first?.similarity ?? 0);
      }
      const beside = { containerTag: english, searchMode: 'hybrid' };
      expect(texts(await memories('Where does the nurse work?', beside))[0]).toContain('nurse');
      const apart = await inTurn(
        'I live in Hamburg. The wifi code at the cabin is 7741.',
        'I moved to Bremen last week.',
      );
      const found = await memories('What is the wifi code?', { containerTag: apart, searchMode: 'hybrid' });
      expect(texts(found)[0]).toContain('7741');
    },
  );

  verifies(
    ['search:results:one-fact-once', 'search:hybrid:both', 'search:results:memory-or-chunk'],
    'a memory and the passage that states it are one result of a hybrid search, and the same words stand in it once',
    async () => {
      for (const searchMode of ['hybrid', 'semantic', 'keyword']) {
        const found = await memories('Ida adopted a donkey', { containerTag, searchMode, threshold: 0 });
        expect(
          found.filter((hit) => textOf(hit).includes('donkey')),
          searchMode,
        ).toHaveLength(1);
        for (const hit of found)
          expect(Object.keys(hit)).not.toEqual(expect.arrayContaining(['memory', 'chunk']));
        const order = found.map(({ similarity }) => similarity);
        expect(order).toEqual(order.toSorted((a, b) => b - a));
      }
      const asked = { containerTag, searchMode: 'documents', window: 0 };
      const passages = await memories('Ida adopted a donkey', asked);
      expect(texts(passages)[0]).toBe('Ida: I adopted a donkey called Anselm.');
    },
  );

  verifies(
    ['search:results:one-fact-once', 'search:results:content', 'search:hybrid:memory-first'],
    'the result is the memory with its passage, and a passage that no memory states is a chunk',
    async () => {
      const tag = api.newTag();
      const documentId = await read(
        tag,
        'I adopted a donkey called Anselm. The weather was lovely that day.',
      );
      const asked = { containerTag: tag, searchMode: 'hybrid' };
      const donkey = firstOf(await memories('donkey Anselm', asked));
      const memory = expect.stringContaining('donkey called Anselm');
      expect(donkey).toMatchObject({
        memory,
        content: memory,
        passage: {
          id: expect.any(String),
          content: expect.stringMatching(/^I adopted/),
          documentId,
          position: 0,
        },
        match: { text: expect.stringMatching(/^I adopted/), position: 0 },
        similarity: expect.any(Number),
      });
      expect(donkey).not.toHaveProperty('chunk');
      const weather = firstOf(await memories('lovely weather', asked));
      expect(weather).toMatchObject({ chunk: expect.stringContaining('lovely'), content: weather.chunk });
      expect(weather).not.toHaveProperty('memory');
      const profile = await api.ask<{ searchResults: { results: MemoryHit[] } }>('POST', '/v4/profile', {
        containerTag: tag,
        q: 'donkey Anselm',
      });
      expect(profile.body.searchResults.results[0]).toMatchObject({ memory, content: memory });
    },
  );

  verifies(
    'search:results:metadata-of-passage',
    'a memory that two documents state has the metadata and the path of the one whose passage it shows',
    async () => {
      const tag = api.newTag();
      const said = 'Ida adopted a donkey called Anselm.';
      const fields = (place: string) => ({ metadata: { place }, filepath: `/talks/${place}.txt` });
      const documents = new Map([
        [await read(tag, `${said} The stable is behind the mill.`, fields('stable')), 'stable'],
        [await read(tag, `${said} The meadow floods in April.`, fields('meadow')), 'meadow'],
      ]);
      for (const q of ['donkey Anselm stable mill', 'donkey Anselm meadow April']) {
        const asked = { containerTag: tag, searchMode: 'hybrid', threshold: 0, window: 0 };
        const found = (await memories(q, asked)).filter(({ passage }) => passage !== undefined);
        expect(found.length, q).toBeGreaterThan(0);
        for (const { metadata, filepath, passage } of found) {
          const place = documents.get(passage?.documentId ?? '');
          expect({ metadata, filepath }, q).toEqual({
            metadata: expect.objectContaining({ place }),
            filepath: `/talks/${place}.txt`,
          });
        }
      }
    },
  );

  verifies(
    'search:questions:work',
    'a question for work in other words finds the work first, not the home',
    async () => {
      const tag = api.newTag();
      await read(tag, 'Ada lives in a small flat in Graz.');
      await read(tag, "Ada works as a nurse at the children's hospital.");
      await read(tag, 'Ada keeps her savings at a bank in Linz.');
      for (const q of [
        'What does Ada do for a living?',
        'How does Ada earn her money?',
        'How does Ada make a living?',
        "What is Ada's line of work?",
        "What is Ada's job?",
        "What is Ada's profession?",
        "What is Ada's occupation?",
        'What does Ada work as?',
      ])
        for (const searchMode of ['memories', 'hybrid']) {
          const found = await memories(q, { containerTag: tag, searchMode, threshold: 0 });
          expect(texts(found)[0], `${searchMode}: ${q}`).toContain('nurse');
        }
    },
  );

  verifies(
    ['search:window:reach', 'search:results:one-fact-once'],
    'the window of a memory is that of its passage',
    async () => {
      const tag = api.newTag();
      const turns = ['Ida: I adopted a donkey.', 'Tom: What is its name?', 'Ida: The vet calls it Anselm.'];
      await read(tag, turns.join('\n'));
      const passageOf = async (window: number) =>
        firstOf(await memories('adopted a donkey', { containerTag: tag, searchMode: 'hybrid', window }))
          .passage;
      expect((await passageOf(0))?.content).toBe('Ida: I adopted a donkey.');
      expect((await passageOf(1))?.content).toContain('Tom: What is its name?');
    },
  );

  verifies(
    ['search:v4:include-documents', 'search:v4:include-summaries', 'search:v4:filepath'],
    'a memory and the passage that states it share the metadata, the path and the source document',
    async () => {
      const asked = { containerTag, filepath: '/talks/' };
      const hit = firstOf(await memories('donkey', asked));
      expect(hit).toMatchObject({ metadata: { place: 'stable' }, filepath: '/talks/donkey.txt' });
      expect(hit).not.toHaveProperty('documents');
      const full = firstOf(
        await memories('donkey', { ...asked, include: { documents: true, summaries: true } }),
      );
      expect(full.documents).toEqual([
        {
          id,
          title: 'A call',
          type: expect.any(String),
          metadata: { place: 'stable' },
          summary: 'I adopted a donkey called Anselm. I am selling my caravan.',
          createdAt: expect.stringMatching(UTC),
          updatedAt: expect.stringMatching(UTC),
        },
      ]);
      expect(await memories('donkey', { containerTag, filepath: '/else/' })).toEqual([]);
    },
  );

  verifies(
    'search:params:include-chunks',
    'a memory and the passage that states it come with the chunks as well where they are asked for',
    async () => {
      const hit = firstOf(await memories('donkey', { containerTag, include: { chunks: true } }));
      expect(hit).toMatchObject({
        memory: expect.stringContaining('donkey'),
        chunks: [
          {
            content: 'I adopted a donkey called Anselm.',
            score: expect.any(Number),
            position: 0,
            documentId: id,
          },
        ],
      });
      expect(hit).not.toHaveProperty('chunk');
      const tag = api.newTag();
      await read(tag, 'The donkey is not for sale.', { taskType: 'superrag' });
      expect(await memories('donkey', { containerTag: tag, include: { chunks: true } })).toEqual([
        expect.objectContaining({
          chunk: 'The donkey is not for sale.',
          chunks: [expect.objectContaining({ content: 'The donkey is not for sale.' })],
        }),
      ]);
    },
  );

  verifies(
    ['search:params:doc-id', 'search:params:metadata', 'search:params:document-threshold'],
    'a memory and the passage that states it are narrowed alike: by document, by metadata of their own or of it, and by its best match',
    async () => {
      const asked = { containerTag, threshold: 0 };
      const count = async (more: object) => (await memories('donkey', { ...asked, ...more })).length;
      const best = firstOf(await memories('donkey', asked)).similarity;
      expect(await count({ docId: id })).toBeGreaterThan(0);
      expect(await count({ docId: 'nobody' })).toBe(0);
      expect(await count({ filters: { AND: [{ key: 'place', value: 'stable' }] } })).toBeGreaterThan(0);
      expect(await count({ filters: { AND: [{ key: 'place', value: 'attic' }] } })).toBe(0);
      expect(await count({ documentThreshold: best })).toBeGreaterThan(0);
      expect(await count({ documentThreshold: Math.min(1, best + 0.001) })).toBe(0);
      expect(await count({ chunkThreshold: best })).toBe(1);
      expect(
        texts(
          await memories('Ida', {
            containerTag: 'said of ida',
            threshold: 0,
            filters: { AND: [{ key: 'topic', value: 'music' }] },
          }),
        ),
      ).toEqual(['Ida plays the cello.']);
    },
  );
});
