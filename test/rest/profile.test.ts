// The profile of a container tag: its sections, what narrows it, and that it shows what was written last.
import Supermemory from 'supermemory';
import { describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { untilPast } from '../support/until.ts';
import { asGuess, create, readForMemories } from './support/tell.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface ProfileBody {
  profile: { static?: string[]; dynamic?: string[]; buckets?: Record<string, string[]> };
  searchResults?: { results: { memory?: string; similarity: number }[]; total: number; timing: number };
}

const profile = async (containerTag: string, more: object = {}): Promise<ProfileBody> => {
  const answer = await api.ask<ProfileBody>('POST', '/v4/profile', { containerTag, ...more });
  if (answer.status !== 200) throw new Error(`It answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const sectionsOf = async (containerTag: string, more: object = {}) =>
  (await profile(containerTag, more)).profile;

const today = () => new Date().toISOString().slice(0, 10);
const recent = (text: string, day = today()) => `[Recent] [${day}] ${text}`;

const read = (tag: string, content: string, more: object = {}) =>
  readForMemories(api, tag, content, { ...more });

describe('a profile', () => {
  verifies(
    ['profile:read:generated', 'profile:sections:lines'],
    'a profile tells what lasts, what is recent and what is preferred',
    async () => {
      const tag = api.newTag();
      await create(api, tag, [
        { content: 'Ada lives in Ghent.', isStatic: true },
        { content: 'Ada is moving a harpsichord this week.' },
        {
          content: 'Ada visited the mint museum.',
          temporalContext: { documentDate: '2026-03-01T10:00:00Z' },
        },
        { content: 'Ada prefers answers in one sentence.', isStatic: true },
      ]);
      expect(await profile(tag)).toEqual({
        profile: {
          static: ['Ada lives in Ghent.', 'Ada prefers answers in one sentence.'],
          dynamic: [
            recent('Ada is moving a harpsichord this week.'),
            recent('Ada visited the mint museum.', '2026-03-01'),
          ],
          buckets: { preferences: ['[Recent] Ada prefers answers in one sentence.'] },
        },
      });
    },
  );

  verifies(
    ['profile:read:generated', 'profile:read:needs-tag'],
    'a profile is drawn from documents that were added under the tag, and from no others',
    async () => {
      const tag = api.newTag();
      await read(tag, 'Bruno: I live in Pisa. I hate fennel.');
      await read(api.newTag(), 'Bruno: I live in Turin.');
      const all = JSON.stringify(await profile(tag));
      expect(all).toContain('Pisa');
      expect(all).toContain('fennel');
      expect(all).not.toContain('Turin');
    },
  );

  verifies('profile:unknown-tag:empty', 'a profile of a tag that is not known is empty', async () => {
    expect(await profile('nobody was here')).toEqual({
      profile: { static: [], dynamic: [], buckets: { preferences: [] } },
    });
  });

  verifies('profile:read:one-tag', 'a profile is of one tag: naming none or two is refused', async () => {
    for (const body of [{}, { containerTags: [] }, { containerTags: ['a', 'b'] }, { containerTag: '' }]) {
      const answer = await api.ask<Refusal>('POST', '/v4/profile', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain('containerTag');
    }
    const tag = api.newTag();
    await create(api, tag, ['Cleo juggles.']);
    const plural = await api.ask<ProfileBody>('POST', '/v4/profile', { containerTags: [tag] });
    expect(plural.body.profile.dynamic).toEqual([recent('Cleo juggles.')]);
  });

  verifies(
    'profile:sections:include',
    'a profile gives the sections and buckets that are named',
    async () => {
      const tag = api.newTag();
      await create(api, tag, [{ content: 'Dina likes salt.', isStatic: true }, 'Dina is in Oslo.']);
      const both = await sectionsOf(tag, { include: ['static', 'dynamic'] });
      expect(both).toEqual({ static: ['Dina likes salt.'], dynamic: [recent('Dina is in Oslo.')] });
      expect(await sectionsOf(tag, { include: ['buckets'] })).toEqual({
        buckets: { preferences: ['[Recent] Dina likes salt.'] },
      });
      expect(await sectionsOf(tag, { include: [] })).toEqual({
        ...both,
        buckets: { preferences: ['[Recent] Dina likes salt.'] },
      });
      expect((await sectionsOf(tag, { buckets: ['goals'] })).buckets).toEqual({});
      expect((await sectionsOf(tag, { buckets: ['preferences', 'goals'] })).buckets).toEqual({
        preferences: ['[Recent] Dina likes salt.'],
      });
      const wrong = await api.ask<Refusal>('POST', '/v4/profile', {
        containerTag: tag,
        include: ['statics'],
      });
      expect([wrong.status, wrong.body.error]).toEqual([400, expect.stringContaining('include')]);
    },
  );

  verifies('profile:sections:order', 'a profile stays short however much is known', async () => {
    const tag = api.newTag();
    const many = Array.from({ length: 60 }, (_, n) => ({
      content: `Emil stamped letter ${n}. ${'It was a long letter. '.repeat(n === 59 ? 30 : 0)}`.trim(),
      temporalContext: { documentDate: new Date(Date.UTC(2026, 0, 1 + n)).toISOString() },
    }));
    const lasting = Array.from({ length: 60 }, (_, n) => ({
      content: `Emil knows rule ${n}.`,
      isStatic: true,
    }));
    await create(api, tag, many);
    await create(api, tag, lasting);
    await create(api, tag, [{ content: 'Emil knows rule 7.', isStatic: true }]);
    const { static: rules = [], dynamic = [] } = await sectionsOf(tag);
    expect(rules).toHaveLength(40);
    expect(rules[0]).toBe('Emil knows rule 7.');
    expect(dynamic).toHaveLength(20);
    expect(dynamic[0]).toMatch(/^\[Recent\] \[2026-03-01\] Emil stamped letter 59\. It was .*…$/);
    expect(dynamic[0]?.length).toBeLessThanOrEqual(240 + '[Recent] [2026-03-01] '.length);
    expect(dynamic[19]).toContain('letter 40.');
  });

  verifies(
    'profile:read:metadata-filter',
    'a profile is narrowed by metadata of memories and of documents',
    async () => {
      const tag = api.newTag();
      await create(api, tag, [
        { content: 'Fay runs the north shop.', metadata: { shop: 'north' } },
        { content: 'Fay runs the south shop.', metadata: { shop: 'south' } },
      ]);
      await read(tag, 'Fay closed the north cellar on Monday.', { metadata: { shop: 'north' } });
      const narrowed = { filters: { AND: [{ key: 'shop', value: 'north' }] } };
      const { dynamic = [], static: lasting = [] } = await sectionsOf(tag, narrowed);
      const all = [...dynamic, ...lasting].join('\n');
      expect(all).toContain('north shop');
      expect(all).toContain('north cellar');
      expect(all).not.toContain('south shop');
      const found = await profile(tag, { ...narrowed, q: 'Which shop does Fay run?', threshold: 0 });
      expect(JSON.stringify(found.searchResults)).not.toContain('south shop');
    },
  );

  verifies('profile:read:search', 'a profile comes with what bears on a question', async () => {
    const tag = api.newTag();
    await create(api, tag, ['Gus sells lanterns in Antwerp.', 'Gus fears wasps.', 'Gus owns two barges.']);
    const q = 'Where does Gus sell lanterns?';
    expect((await profile(tag, { q })).searchResults?.results[0]?.memory).toBe(
      'Gus sells lanterns in Antwerp.',
    );
    // Above that of a likely answer among few memories.
    const { searchResults } = await profile(tag, { q, threshold: 0.61 });
    expect(searchResults).toEqual({
      results: [expect.objectContaining({ memory: 'Gus sells lanterns in Antwerp.' })],
      total: 1,
      timing: expect.any(Number),
    });
    expect((await profile(tag, { q, threshold: 0 })).searchResults?.total).toBe(3);
    expect((await profile(tag)).searchResults).toBeUndefined();
    expect((await api.ask('POST', '/v4/profile', { containerTag: tag, q: ' ' })).status).toBe(400);
  });

  test('a profile of a tag outside the key is refused, and needs no more than reading', async () => {
    const tag = api.newTag();
    await create(api, tag, ['Hugo mends clocks.']);
    const key = await api.memoir.scopedKey([tag], { permission: 'read' });
    const own = await api.ask<ProfileBody>('POST', '/v4/profile', { containerTag: tag }, { key });
    expect(own.body.profile.dynamic).toEqual([recent('Hugo mends clocks.')]);
    for (const [method, path, body] of [
      ['POST', '/v4/profile', { containerTag: 'x' }],
      ['POST', '/v4/profile/buckets', { containerTag: 'x' }],
      ['GET', '/v3/container-tags/x/profile', undefined],
    ] as const)
      expect((await api.ask(method, path, body, { key })).status).toBe(403);
  });

  verifies('isolation:profile:by-tag', 'a profile holds nothing of any other container tag', async () => {
    const [tag, other] = [api.newTag(), api.newTag()];
    await create(api, tag, [{ content: 'Kai is a potter.', isStatic: true }, 'Kai is in Oslo.']);
    await create(api, other, [
      { content: 'Lea is a welder.', isStatic: true },
      'Lea is in Turin.',
      { content: 'Lea prefers short answers.', isStatic: true },
    ]);
    const { profile: own, searchResults } = await profile(tag, { q: 'Where is Lea?', threshold: 0 });
    expect(own).toMatchObject({ static: ['Kai is a potter.'], dynamic: [recent('Kai is in Oslo.')] });
    expect(JSON.stringify([own, searchResults])).not.toContain('Lea');
    expect((await profile(api.newTag())).profile).toEqual({
      static: [],
      dynamic: [],
      buckets: expect.anything(),
    });
  });

  verifies('profile:tag:older-form', 'a profile is read in its older form too', async () => {
    const tag = 'old form/1';
    await create(api, tag, [{ content: 'Ines is left-handed.', isStatic: true }, 'Ines is in Rome.']);
    const answer = await api.ask('GET', `/v3/container-tags/${encodeURIComponent(tag)}/profile`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { profile: { static: ['Ines is left-handed.'], dynamic: [recent('Ines is in Rome.')] } },
    ]);
  });

  verifies('profile:read:client', 'a profile is read by the published client', async () => {
    const tag = api.newTag();
    await create(api, tag, [{ content: 'Jon is a beekeeper.', isStatic: true }]);
    const client = new Supermemory({ baseURL: api.memoir.url, apiKey: api.memoir.key, maxRetries: 0 });
    const answer = await client.profile({ containerTag: tag, q: 'What is Jon?' });
    expect(answer.profile).toMatchObject({ static: ['Jon is a beekeeper.'], dynamic: [] });
    expect(answer.searchResults?.total).toBe(1);
  });
});

describe('what is written', () => {
  const shown = async (tag: string): Promise<string> => JSON.stringify(await sectionsOf(tag));

  verifies('profile:read:fresh', 'what is written to memories shows in the next profile', async () => {
    const tag = api.newTag();
    expect(await shown(tag)).not.toContain('Kai');
    const { memories } = await create(api, tag, ['Kai lives in Lima.']);
    expect(await shown(tag)).toContain('Kai lives in Lima');
    const id = memories[0]?.id;
    const revised = await api.ask('PATCH', '/v4/memories', {
      containerTag: tag,
      id,
      newContent: 'Kai lives in Quito.',
    });
    expect(await shown(tag)).toContain('Quito');
    expect(await shown(tag)).not.toContain('Lima');
    await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: revised.body.id });
    expect(await shown(tag)).not.toContain('Kai');
  });

  verifies('profile:read:fresh', 'what is written to documents shows in the next profile', async () => {
    const tag = api.newTag();
    const id = await read(tag, 'Lou keeps a parrot called Zorro.', { metadata: { kind: 'pet' } });
    const asPet = { filters: { AND: [{ key: 'kind', value: 'pet' }] } };
    expect(await shown(tag)).toContain('parrot');
    expect(JSON.stringify(await sectionsOf(tag, asPet))).toContain('parrot');
    await api.patch(id, { metadata: { kind: 'bird' } });
    expect(JSON.stringify(await sectionsOf(tag, asPet))).not.toContain('parrot');
    const other = api.newTag();
    await api.patch(id, { containerTag: other });
    await api.settled(id);
    expect(await shown(tag)).not.toContain('parrot');
    expect(await shown(other)).toContain('parrot');
    await api.remove(id);
    expect(await shown(other)).not.toContain('parrot');
  });

  verifies('profile:read:fresh', 'what is written about buckets shows in the next profile', async () => {
    const tag = api.newTag();
    await create(api, tag, ['Max is restoring a steam engine.']);
    expect((await sectionsOf(tag)).buckets).toEqual({ preferences: [] });
    const profileBuckets = [{ key: 'engines', description: 'Steam engines and their parts.' }];
    await api.ask('PATCH', `/v3/container-tags/${tag}`, { profileBuckets });
    expect((await sectionsOf(tag)).buckets).toMatchObject({
      engines: ['[Recent] Max is restoring a steam engine.'],
    });
  });

  verifies(
    ['profile:sections:guesses', 'profile:read:fresh'],
    'what is written as a guess shows once it is approved',
    async () => {
      const tag = api.newTag();
      const { memories } = await create(api, tag, ['Pia may be a pilot.']);
      const id = memories[0]?.id ?? '';
      expect(await shown(tag)).toContain('pilot');
      await asGuess(api, id);
      expect(await shown(tag)).not.toContain('pilot');
      await api.ask('POST', `/v3/container-tags/${tag}/inferred/${id}/review`, { action: 'approve' });
      expect(await shown(tag)).toContain('pilot');
    },
  );

  verifies('profile:read:fresh', 'what is written to end at a moment is gone from then on', async () => {
    const tag = api.newTag();
    const end = Date.now() + 2_000;
    await create(api, tag, [{ content: 'Nora is on call.', forgetAfter: new Date(end).toISOString() }]);
    expect(await shown(tag)).toContain('on call');
    await untilPast(end);
    expect(await shown(tag)).not.toContain('on call');
  });
});

describe('buckets', () => {
  verifies(
    ['profile:buckets:list', 'profile:buckets:merged'],
    'buckets of the organisation come first and win, those of the tag add',
    async () => {
      const tag = api.newTag();
      const listed = async () =>
        (
          await api.ask<{ buckets: { key: string; description: string }[] }>('POST', '/v4/profile/buckets', {
            containerTag: tag,
          })
        ).body.buckets;
      expect(await listed()).toEqual([{ key: 'preferences', description: expect.any(String) }]);
      await api.ask('PATCH', '/v3/settings', {
        profileBuckets: [{ key: 'health', description: 'Illness, medication, fitness.' }],
      });
      await create(api, tag, ['Olaf is allergic to dust.', 'Olaf knits socks.', 'Olaf prefers wool.']);
      await api.ask('PATCH', `/v3/container-tags/${tag}`, {
        profileBuckets: [
          { key: 'knitting', description: 'What is knitted.' },
          { key: 'health', description: 'Socks.' },
        ],
      });
      const keys = (await listed()).map(({ key, description }) => [key, description]);
      expect(keys).toEqual([
        ['health', 'Illness, medication, fitness.'],
        ['preferences', expect.any(String)],
        ['knitting', 'What is knitted.'],
      ]);
      const { buckets } = await sectionsOf(tag, { include: ['buckets'] });
      expect(buckets).toEqual({
        health: ['[Recent] Olaf is allergic to dust.'],
        preferences: ['[Recent] Olaf prefers wool.'],
        knitting: ['[Recent] Olaf knits socks.'],
      });
      await api.ask('PATCH', '/v3/settings', { profileBuckets: [] });
    },
  );
});
