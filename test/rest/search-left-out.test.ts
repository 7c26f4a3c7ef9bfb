// Searches leave out, rank lower or bring along forgotten memories, guesses and versions.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { untilPast } from '../support/until.ts';
import { firstOf, searchesOf, textOf } from './support/searches.ts';
import { asGuess, create, readForMemories } from './support/tell.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories } = searchesOf(api);

const remember = async (tag: string, said: Parameters<typeof create>[2]): Promise<string[]> =>
  (await create(api, tag, said)).memories.map(({ id }) => id);

const modes = ['memories', 'hybrid', 'semantic', 'keyword'] as const;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('what is forgotten', () => {
  verifies(
    ['memories:forgotten:excluded', 'search:params:forgotten'],
    'what is forgotten is left out of every mode until it is asked for',
    async () => {
      const tag = api.newTag();
      const [id] = await remember(tag, ['Nils is allergic to kiwi.', 'Nils rows on the canal.']);
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id });
      for (const searchMode of modes) {
        const asked = { containerTag: tag, threshold: 0, searchMode };
        expect((await memories('Nils is allergic to kiwi', asked)).map(textOf), searchMode).not.toContain(
          'Nils is allergic to kiwi.',
        );
        const all = await memories('Nils is allergic to kiwi', {
          ...asked,
          include: { forgottenMemories: true },
        });
        expect(all.map(textOf)[0], searchMode).toBe('Nils is allergic to kiwi.');
      }
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what is forgotten takes the passage along of which nothing else is known, except where passages alone are asked for',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'Sven owns a pawn shop in Malmö.');
      const [memory] = await memories('Sven owns a pawn shop', { containerTag: tag });
      expect(memory?.memory).toContain('pawn shop');
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: memory?.id });
      const asked = { containerTag: tag, threshold: 0 };
      for (const searchMode of modes)
        expect(await memories('pawn shop', { ...asked, searchMode }), searchMode).toEqual([]);
      expect(await memories('pawn shop', { ...asked, searchMode: 'documents' })).toHaveLength(1);
      const forgotten = { ...asked, searchMode: 'hybrid', include: { forgottenMemories: true } };
      expect(await memories('pawn shop', forgotten)).toHaveLength(1);
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what is forgotten does not bring its passage back beside another hit, except where passages alone are asked for',
    async () => {
      const tag = api.newTag();
      const talk = ['Sven: I own a pawn shop in Malmö.', 'Pia: I bought a trombone yesterday!'];
      await readForMemories(api, tag, talk.join('\n'));
      const [memory] = await memories('Sven owns a pawn shop', { containerTag: tag });
      expect(memory?.memory).toContain('pawn shop');
      const asked = { containerTag: tag, threshold: 0, window: 2 };
      const shown = async (more: object) =>
        (await memories('Who bought a trombone?', { ...asked, ...more })).map(textOf).join();
      expect(await shown({ searchMode: 'hybrid' })).toContain('pawn shop');
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: memory?.id });
      const kept = await shown({ searchMode: 'hybrid' });
      expect(kept).toContain('trombone');
      expect(kept).not.toContain('pawn shop');
      expect(await shown({ searchMode: 'documents' })).toContain('pawn shop');
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what is forgotten is cut out of a passage that also states what is not, also where it is shown beside a memory',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'Sven owns a pawn shop in Malmö. Sven plays the trombone.');
      const found = await memories('Sven', { containerTag: tag, threshold: 0 });
      const shop = found.find(({ memory }) => memory?.includes('pawn shop'));
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: shop?.id });
      const asked = { containerTag: tag, threshold: 0 };
      const shown = async (more: object) =>
        JSON.stringify(await memories('Who plays the trombone?', { ...asked, ...more }));
      for (const more of [
        { searchMode: 'hybrid' },
        { include: { chunks: true } },
        { searchMode: 'keyword' },
      ]) {
        expect(await shown(more)).toContain('trombone');
        expect(await shown(more)).not.toContain('pawn shop');
      }
      expect(await shown({ searchMode: 'documents' })).toContain('pawn shop');
      expect(await shown({ searchMode: 'hybrid', include: { forgottenMemories: true } })).toContain('pawn');
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what is forgotten takes the sentence along that says something else too, which its memory still says',
    async () => {
      const tag = api.newTag();
      await readForMemories(
        api,
        tag,
        'Sven has type 2 diabetes and takes metformin. Sven plays the trombone.',
      );
      const asked = { containerTag: tag, threshold: 0, searchMode: 'hybrid' };
      const ill = (await memories('diabetes', asked)).find(({ memory }) => memory?.includes('diabetes'));
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: ill?.id });
      const found = JSON.stringify(await memories('Which medicine does Sven take?', asked));
      expect(found).toContain('metformin');
      expect(found).not.toContain('diabetes');
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what is forgotten finds no passage by the words that are cut out of it',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'Sven: I own a pawn shop in Malmö. I play the trombone.');
      const asked = { containerTag: tag, searchMode: 'hybrid' };
      const [shop] = await memories('Does Sven own a pawn shop?', asked);
      expect(shop?.memory).toContain('pawn shop');
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: shop?.id });
      expect((await memories('pawn shop', asked)).flatMap(({ chunk }) => chunk ?? [])).toEqual([]);
      expect(JSON.stringify(await memories('trombone', asked))).toContain('trombone');
    },
  );

  verifies(
    'memories:forgotten:titles',
    'what is forgotten is in no title or summary that was drawn from the text, and in those of the sender',
    async () => {
      const text = 'Sven owns a pawn shop in Malmö. Sven plays the trombone.';
      const outlines = async (containerTag: string) => {
        const include = { documents: true, summaries: true };
        const found = await memories('trombone', {
          containerTag,
          threshold: 0,
          searchMode: 'hybrid',
          include,
        });
        expect(found.length).toBeGreaterThan(0);
        return found.flatMap(({ documents = [] }) => documents).map(({ title, summary }) => [title, summary]);
      };
      const forgetShop = async (more: object) => {
        const tag = api.newTag();
        await readForMemories(api, tag, text, { ...more });
        expect((await outlines(tag)).join()).toContain('pawn shop');
        const found = await memories('pawn shop', { containerTag: tag, threshold: 0 });
        const shop = found.find(({ memory }) => memory?.includes('pawn'));
        const { status } = await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: shop?.id });
        expect(status).toBe(200);
        return (await outlines(tag)).join();
      };
      expect(await forgetShop({})).not.toContain('pawn');
      expect(await forgetShop({ title: 'The pawn shop of Sven' })).toContain('The pawn shop of Sven');
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what is forgotten does not come back where no memory answers and passages stand in',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'Sven owns a pawn shop in Malmö. Sven plays the trombone.');
      const asked = { containerTag: tag };
      const [shop] = await memories('Does Sven own a pawn shop?', asked);
      expect(shop?.memory).toContain('pawn shop');
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: shop?.id });
      expect(JSON.stringify(await memories('Does Sven own a pawn shop?', asked))).not.toContain('pawn shop');
      expect(JSON.stringify(await memories('Is there a pawn shop in Malmö?', asked))).not.toContain('pawn');
    },
  );

  verifies(
    'search:modes:unanswered',
    'what was replaced does not come back where no memory answers and passages stand in',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'Sven: I live in Malmö.');
      await readForMemories(api, tag, 'Sven: I moved to Oslo.');
      const shown = async (more: object) =>
        JSON.stringify(await memories('Malmö', { containerTag: tag, window: 0, ...more }));
      expect(await shown({})).not.toContain('Malmö');
      expect(await shown({ searchMode: 'hybrid' })).toContain('Malmö');
    },
  );

  verifies(
    'search:modes:unanswered',
    'a passage that also says what was replaced comes after the memories where it stands in for one',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'Sven: I live in Malmö. I keep bees in the garden.');
      await readForMemories(api, tag, 'Sven: I moved to Oslo.');
      const found = await memories('Malmö', { containerTag: tag, window: 0 });
      expect(found.filter(({ memory }) => memory !== undefined)).toHaveLength(2);
      expect(found.at(-1)?.chunk).toContain('Malmö');
    },
  );

  verifies(
    'memories:forgotten:passages',
    'what has expired takes its passage along, and what was only replaced does not',
    async () => {
      const tag = api.newTag();
      const end = Date.now() + 4_000;
      const asked = { containerTag: tag, threshold: 0, searchMode: 'hybrid' };
      await readForMemories(api, tag, 'Sven owns a pawn shop in Malmö.');
      const [memory] = await memories('Sven owns a pawn shop', { containerTag: tag });
      const newContent = 'Sven owns a bakery in Malmö.';
      await api.ask('PATCH', '/v4/memories', { containerTag: tag, id: memory?.id, newContent });
      const shown = async () => JSON.stringify(await memories('pawn shop', asked));
      expect(await shown()).toContain('pawn shop');
      const [latest] = await memories('bakery', { containerTag: tag });
      const forgetAfter = new Date(end).toISOString();
      const change = { containerTag: tag, id: latest?.id, newContent: 'Sven owns a bakery.', forgetAfter };
      await api.ask('PATCH', '/v4/memories', change);
      await untilPast(end);
      expect(await memories('pawn shop', asked)).toEqual([]);
    },
  );

  verifies(
    ['memories:forget-after:expires', 'search:params:forgotten'],
    'what is forgotten because its time is over is left out from that moment on',
    async () => {
      const tag = api.newTag();
      const end = Date.now() + 2_000;
      await remember(tag, [
        { content: 'Britt is in Narvik this week.', forgetAfter: new Date(end).toISOString() },
      ]);
      const asked = { containerTag: tag, threshold: 0 };
      expect(await memories('Where is Britt?', asked)).toHaveLength(1);
      await untilPast(end);
      expect(await memories('Where is Britt?', asked)).toEqual([]);
      expect(
        await memories('Where is Britt?', { ...asked, include: { forgottenMemories: true } }),
      ).toHaveLength(1);
    },
  );
});

describe('versions', () => {
  verifies(
    ['search:v4:related', 'search:v4:no-context', 'memories:relations:wire-values'],
    'versions come along as relatives when they are asked for; the latest alone is found',
    async () => {
      const tag = api.newTag();
      const [id] = await remember(tag, ['Lea lives in Ghent.']);
      const newContent = 'Lea lives in Bruges.';
      await api.ask('PATCH', '/v4/memories', { containerTag: tag, id, newContent });
      const asked = { containerTag: tag, threshold: 0 };
      const found = await memories('Where does Lea live?', asked);
      expect(found).toEqual([expect.objectContaining({ memory: newContent, version: 2 })]);
      expect(found[0]).not.toHaveProperty('context');
      const related = await memories('Where does Lea live?', {
        ...asked,
        include: { relatedMemories: true },
      });
      expect(related[0]?.context).toEqual({
        parents: [
          {
            id,
            relation: 'updates',
            version: -1,
            memory: 'Lea lives in Ghent.',
            metadata: null,
            updatedAt: expect.stringMatching(UTC),
          },
        ],
        children: [],
        related: [],
      });
    },
  );
});

describe('a guess', () => {
  verifies(
    ['memories:inferred:ranked-lower', 'memories:inferred:declined'],
    'a guess stands below what was said until it is approved, and declined appears in no search',
    async () => {
      const tag = api.newTag();
      const [guess = '', said = ''] = await remember(tag, [
        'Rosa collects silver spoons.',
        'Rosa collects silver forks.',
        'Rosa was born in Aachen.',
      ]);
      const asked = { containerTag: tag, threshold: 0 };
      const order = async (more: object = {}) =>
        (await memories('Rosa collects silver', { ...asked, ...more })).map(({ id }) => id).slice(0, 2);
      const similarity = async () =>
        firstOf((await memories('Rosa collects silver', asked)).filter(({ id }) => id === guess)).similarity;
      const before = await similarity();
      await asGuess(api, guess);
      expect(await order()).toEqual([said, guess]);
      expect(await similarity()).toBeLessThan(before);
      const review = (action: string) =>
        api.ask('POST', `/v3/container-tags/${tag}/inferred/${guess}/review`, { action });
      await review('approve');
      expect(await similarity()).toBe(before);
      await review('undo');
      await review('decline');
      for (const searchMode of modes)
        expect(await order({ searchMode, include: { forgottenMemories: true } })).not.toContain(guess);
    },
  );
});
