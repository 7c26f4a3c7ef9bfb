// Forgetting several memories at once over REST.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { create, ID, listMemories, NOBODY, PATH, recalled, remembered, tell } from './support/tell.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

interface Matching extends Refusal {
  dryRun: boolean;
  count: number;
  forgetBatchId: string | null;
  summary: string;
  candidates?: { id: string; memory: string; score: number }[];
  forgotten?: { id: string; memory: string; score: number }[];
}

const forgetMatching = (containerTag: string, body: object, as?: { key: string }) =>
  api.ask<Matching>('POST', `${PATH}/forget-matching`, { containerTag, ...body }, as);

const TITAN = [
  'Project Titan starts in May.',
  'Project Titan is led by Bob.',
  'The budget of project Titan was cut.',
];
const OTHERS = ['Ada prefers tea.', 'The boat house has a blue door.'];

/** Under a tag of its own. */
const told = async () => {
  const tag = api.newTag();
  const { memories } = await create(api, tag, [...TITAN, ...OTHERS]);
  return { tag, ids: memories.map(({ id }) => id) };
};

describe('forgetting what a query finds', () => {
  verifies(
    'memories:forget-matching:query',
    'forgetting what a query finds takes an instruction or a topic, the best first',
    async () => {
      for (const query of ['forget everything about Project Titan', 'Project Titan']) {
        const { tag } = await told();
        const { status, body } = await forgetMatching(tag, { query, reason: 'Cancelled' });
        expect(status).toBe(200);
        expect(body).toMatchObject({ dryRun: false, count: 3, summary: 'Forgot 3 memories.' });
        expect(body).not.toHaveProperty('candidates');
        expect(body.forgotten?.map(({ memory }) => memory).sort()).toEqual([...TITAN].sort());
        const scores = body.forgotten?.map(({ score }) => score) ?? [];
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        for (const score of scores) expect(score).toBeGreaterThanOrEqual(0.5);
        expect(await remembered(api, tag)).toEqual(OTHERS);
        expect(await recalled(api, tag, 'Project Titan')).toEqual([]);
        const { memoryEntries } = await listMemories(api, tag);
        expect(memoryEntries.filter(({ forgetReason }) => forgetReason === 'Cancelled')).toHaveLength(3);
      }
    },
  );

  verifies(
    'memories:forget-matching:query',
    'forgetting what a query finds keeps to its limit and to its threshold',
    async () => {
      const { tag } = await told();
      const query = 'Project Titan';
      expect((await forgetMatching(tag, { query, threshold: 1 })).body).toMatchObject({
        ...{ count: 0, forgotten: [], summary: 'No memory matches.' },
        forgetBatchId: expect.stringMatching(ID),
      });
      expect((await forgetMatching(tag, { query, maxForget: 2 })).body.count).toBe(2);
      expect((await forgetMatching(tag, { query })).body.count).toBe(1);
      expect((await forgetMatching(tag, { query })).body.count).toBe(0);
      const wide = await forgetMatching(tag, { query: 'tea', threshold: 0, maxForget: 500, dryRun: true });
      expect(wide.body.candidates?.[0]?.memory).toBe('Ada prefers tea.');
    },
  );

  verifies(
    'memories:forget-matching:dry-run',
    'forgetting what a query finds can be tried, and then changes nothing',
    async () => {
      const { tag, ids } = await told();
      const before = await listMemories(api, tag);
      for (const how of [{ query: 'Project Titan' }, { ids: ids.slice(0, 3) }]) {
        const { status, body } = await forgetMatching(tag, { ...how, dryRun: true });
        expect(status).toBe(200);
        expect(body).toEqual({
          ...{ dryRun: true, count: 3, forgetBatchId: null },
          summary: 'Would forget 3 memories; nothing was changed.',
          candidates: expect.any(Array),
        });
        expect(body.candidates?.map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort());
      }
      expect(await listMemories(api, tag)).toEqual(before);
      const { body } = await forgetMatching(tag, { ids: ids.slice(0, 1), dryRun: 'false' });
      expect(body).toMatchObject({ dryRun: false, count: 1, forgetBatchId: expect.stringMatching(ID) });
    },
  );
});

describe('forgetting by ids', () => {
  verifies('memories:forget-matching:ids', 'forgetting by ids forgets exactly these', async () => {
    const { tag, ids } = await told();
    const elsewhere = await tell(api, api.newTag(), 'Elsewhere.');
    const over = await tell(api, tag, 'Over.', { forgetAfter: '2020-01-01' });
    const [first, second] = ids;
    const asked = [second, first, first, NOBODY, elsewhere.id, over.id, '', 'x'].filter((id) => id !== '');
    const { status, body } = await forgetMatching(tag, { ids: asked });
    expect([status, body.count]).toEqual([200, 2]);
    expect(body.forgotten).toEqual([
      { id: second, memory: TITAN[1], score: 1 },
      { id: first, memory: TITAN[0], score: 1 },
    ]);
    expect(await remembered(api, tag)).toEqual([TITAN[2], ...OTHERS]);
    expect((await forgetMatching(tag, { ids: asked })).body).toMatchObject({ count: 0, forgotten: [] });
  });

  verifies(
    'memories:forget-matching:ids',
    'forgetting by ids leaves out what the key may not change',
    async () => {
      const [mine, theirs] = [api.newTag(), api.newTag()];
      const shared = await api.ask<{ memories: { id: string }[] }>('POST', PATH, {
        ...{ containerTags: [mine, theirs], memories: [{ content: 'Shared about tea.' }] },
      });
      const own = await tell(api, mine, 'My own about tea.');
      const as = { key: await api.memoir.scopedKey([mine]) };
      const ids = [own.id, ...shared.body.memories.map(({ id }) => id)];
      for (const how of [{ ids }, { query: 'tea', threshold: 0 }])
        expect((await forgetMatching(mine, { ...how, dryRun: true }, as)).body.candidates).toMatchObject([
          { id: own.id },
        ]);
      expect((await forgetMatching(mine, { ids }, as)).body.count).toBe(1);
      expect(await remembered(api, theirs)).toEqual(['Shared about tea.']);
    },
  );
});

verifies(
  'memories:forget-matching:either',
  'both a query and ids, or neither, are refused, and nothing is forgotten',
  async () => {
    const { tag, ids } = await told();
    const cases: [object, RegExp][] = [
      [{}, /give either query or ids/],
      [{ query: 'Titan', ids }, /give either query or ids/],
      [{ query: ' ' }, /query/],
      [{ ids: [] }, /ids/],
      [{ ids: Array.from({ length: 501 }, () => NOBODY) }, /ids/],
      [{ query: 'Titan', maxForget: 501 }, /maxForget/],
      [{ query: 'Titan', threshold: 1.1 }, /threshold/],
      [{ query: 'Titan', containerTag: undefined }, /container tag/],
    ];
    for (const [body, why] of cases) {
      const { status, body: refusal } = await forgetMatching(tag, body);
      expect([status, refusal.error]).toEqual([400, expect.stringMatching(why)]);
    }
    expect(await remembered(api, tag)).toEqual([...TITAN, ...OTHERS]);
  },
);
