// Facts: statements that a sender makes about the content become the memories of the document.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { latest, send, state } from './support/facts.ts';
import { PATH, remembered, tell } from './support/tell.ts';
import { fileOf, postForm } from './support/upload.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const TALK = 'user: My name is Ada. I live in Ghent and I keep two dogs.';

describe('content with facts', () => {
  verifies(
    'facts:add:memories',
    'has these facts as its memories, and nothing that the reader would draw',
    async ({ way }) => {
      const tag = api.newTag();
      const facts = ['Ada has two dogs, Rex and Bo', 'Ada is a nurse at the Sint-Jan hospital'];
      const { id } = await state(api, way, { content: TALK, containerTag: tag, facts });
      const entries = await latest(api, tag);
      expect([...entries.keys()].sort()).toEqual([...facts].sort());
      for (const entry of entries.values())
        expect(entry).toMatchObject({ documentIds: [id], isInference: false, isStatic: false, version: 1 });
      const { body } = await api.ask('GET', `/v3/documents/${id}`);
      expect(body).toMatchObject({ status: 'done', dreamingStatus: 'done' });
    },
  );

  verifies('facts:add:fields', 'takes what a fact says about itself', async ({ way }) => {
    const tag = api.newTag();
    const facts = [
      { content: 'Ada is allergic to nuts', isStatic: true },
      { content: 'Ada is in Oslo until Friday', forgetAfter: '2999-03-06T12:00:00Z' },
      { content: 'Ada was ill in May', forgetAfter: '2020-06-01' },
    ];
    await state(api, way, { content: 'A note about Ada.', containerTag: tag, facts });
    const entries = await latest(api, tag);
    expect(entries.get('Ada is allergic to nuts')).toMatchObject({ isStatic: true, forgetAfter: null });
    expect(entries.get('Ada is in Oslo until Friday')).toMatchObject({
      isStatic: false,
      forgetAfter: '2999-03-06T12:00:00.000Z',
    });
    expect(entries.get('Ada was ill in May')).toMatchObject({ isForgotten: true });
  });

  verifies('facts:add:fields', 'is refused with a fact that cannot be used, and stores nothing', async () => {
    const tag = api.newTag();
    const refusal = async (facts: unknown) => {
      const body = { content: TALK, containerTag: tag, facts };
      const answer = await api.ask<Refusal>('POST', '/v3/documents', body);
      return [answer.status, answer.body.details ?? answer.body.error];
    };
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ content: `Ada has ${at}` }));
    expect(await refusal(many(21))).toEqual([400, expect.stringContaining('facts')]);
    expect(await refusal([{ content: ' ' }])).toEqual([400, expect.stringContaining('must not be blank')]);
    expect(await refusal([{ content: 'Ada', forgetAfter: 'soon' }])).toEqual([
      400,
      expect.stringContaining('ISO-8601'),
    ]);
    const twice = ['Ada rows', 'Ada swims'].map((content) => ({ content, replaces: 'the same' }));
    expect(await refusal(twice)).toEqual([400, expect.stringContaining('must not replace a memory twice')]);
    expect((await api.list({ containerTags: [tag] })).memories).toEqual([]);
    await state(api, 'rest', {
      content: 'Twenty.',
      containerTag: tag,
      facts: many(20).map((one) => one.content),
    });
    expect(await remembered(api, tag)).toHaveLength(20);
  });

  verifies('facts:add:fields', 'with an empty list is read for memories as without one', async () => {
    const tag = api.newTag();
    await state(api, 'rest', { content: TALK, containerTag: tag, facts: [] });
    expect(await remembered(api, tag)).toContain('Ada lives in Ghent');
  });

  verifies('facts:add:ways', 'comes in a batch, with a file, a conversation and new content', async () => {
    const tag = api.newTag();
    const batch = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', {
      containerTag: tag,
      documents: [
        { content: 'user: I live in Ghent.', facts: [{ content: 'Ada plays the oboe' }] },
        'user: My sister is called Grete.',
      ],
    });
    for (const { id } of batch.body.results) await api.memoir.remembered(id);
    const file = await postForm(api.memoir, [
      ['file', fileOf('I live in Bruges.', 'text/plain'), 'note.txt'],
      ['containerTag', tag],
      ['facts', JSON.stringify([{ content: 'Ada signed the lease', isStatic: true }])],
    ]);
    expect(file.status).toBe(200);
    await api.memoir.remembered(file.body.id);
    const talk = await api.ask<{ id: string }>('POST', '/v4/conversations', {
      conversationId: `talk ${tag}`,
      containerTag: tag,
      messages: [{ role: 'user', content: 'I live in Antwerp.' }],
      facts: [{ content: 'Ada prefers the window seat' }],
    });
    expect(talk.status).toBe(200);
    await api.memoir.remembered(talk.body.id);
    expect((await remembered(api, tag)).sort()).toEqual([
      'Ada plays the oboe',
      'Ada prefers the window seat',
      'Ada signed the lease',
      expect.stringContaining('Grete'),
    ]);
    const { status } = await api.patch(talk.body.id, {
      content: 'user: I live in Namur.',
      facts: [{ content: 'Ada prefers the aisle seat' }],
    });
    expect(status).toBe(200);
    await api.memoir.remembered(talk.body.id);
    const after = await remembered(api, tag);
    expect(after).toContain('Ada prefers the aisle seat');
    expect(after).not.toContain('Ada prefers the window seat');
    const alone = await api.patch(talk.body.id, { facts: [{ content: 'Ada sits' }] });
    expect([alone.status, alone.body.details ?? alone.body.error]).toEqual([
      400,
      expect.stringContaining('send the content'),
    ]);
  });

  verifies('facts:add:searched-only', 'is refused where no memories are drawn', async () => {
    const tag = api.newTag();
    const facts = [{ content: 'Ada lives in Ghent' }];
    const only = await api.post({ content: TALK, containerTag: tag, taskType: 'superrag', facts });
    expect([only.status, only.body.error]).toEqual([400, expect.stringContaining('taskType')]);
    await api.add({ content: 'Something first.', containerTag: tag });
    await api.ask('PATCH', `/v3/container-tags/${encodeURIComponent(tag)}`, {
      memoryFilesystemPaths: ['/a/'],
    });
    const elsewhere = await api.post({ content: TALK, containerTag: tag, filepath: '/b/x', facts });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([400, expect.stringContaining('filepath')]);
    expect((await api.list({ containerTags: [tag] })).memories).toHaveLength(1);
  });

  verifies('facts:add:same-rules', 'joins what is known, and changes it as any statement does', async () => {
    const tag = api.newTag();
    const known = await tell(api, tag, 'Ada keeps bees');
    const first = await state(api, 'rest', {
      content: 'She told me about her hives and her house in Ghent.',
      containerTag: tag,
      facts: ['Ada keeps bees.', 'Ada lives in Ghent'],
    });
    const entries = await latest(api, tag);
    expect(entries.get('Ada keeps bees')).toMatchObject({ id: known.id, sourceCount: 2 });
    expect(entries.get('Ada lives in Ghent')?.documentIds).toEqual([first.id]);
    await state(api, 'rest', { content: 'She moved.', containerTag: tag, facts: ['Ada moved to Bruges'] });
    expect((await latest(api, tag)).get('Ada moved to Bruges')).toMatchObject({
      version: 2,
      history: [expect.objectContaining({ memory: 'Ada lives in Ghent' })],
    });
  });
});

describe('a fact that replaces a memory', () => {
  verifies('facts:replaces:version', 'is the next version of it, whatever it says', async ({ way }) => {
    const tag = api.newTag();
    const old = await tell(api, tag, 'Ada studies the violin', {
      temporalContext: { documentDate: '2999-01-01' },
    });
    const facts = [{ content: 'Ada gave her evenings to pottery', replaces: old.id }];
    await state(api, way, { content: 'A note.', containerTag: tag, facts });
    const entries = await latest(api, tag);
    expect([...entries.keys()]).toEqual(['Ada gave her evenings to pottery']);
    expect([...entries.values()][0]).toMatchObject({
      version: 2,
      parentMemoryId: old.id,
      history: [expect.objectContaining({ id: old.id })],
    });
  });

  verifies('facts:replaces:version', 'ends it also where the fact is a memory already', async () => {
    const tag = api.newTag();
    const [old, other] = [await tell(api, tag, 'Ada studies the violin'), await tell(api, tag, 'Ada draws')];
    const facts = [{ content: 'Ada draws', replaces: old.id }];
    await state(api, 'rest', { content: 'A note.', containerTag: tag, facts });
    const entries = await latest(api, tag);
    expect([...entries.keys()]).toEqual(['Ada draws']);
    expect(entries.get('Ada draws')).toMatchObject({ id: other.id, sourceCount: 2 });
  });

  verifies(
    'facts:replaces:refused',
    'is refused where it cannot follow, and nothing is stored',
    async ({ way }) => {
      const [tag, foreign] = [api.newTag(), api.newTag()];
      const theirs = await tell(api, foreign, 'Ben has a secret');
      const gone = await tell(api, tag, 'Ada has a cold');
      await api.ask('DELETE', PATH, { containerTag: tag, id: gone.id });
      const first = await tell(api, tag, 'Ada has a car');
      const next = await api.ask<{ id: string }>('PATCH', PATH, {
        containerTag: tag,
        id: first.id,
        newContent: 'Ada has a van',
      });
      const before = await remembered(api, tag);
      const refusal = async (replaces: string) => {
        const facts = ['Ada rows', { content: 'Ada has something', replaces }];
        return (await send(api, way, { content: 'A note.', containerTag: tag, facts })).refused;
      };
      expect(await refusal(theirs.id)).toContain(`No memory under exactly "${tag}" has the id`);
      expect(await refusal('1ChDvHAMGsTYotPNsRQ1Zw')).toContain('send the fact without replaces');
      expect(await refusal(first.id)).toContain(`Name the latest version in replaces: ${next.body.id}`);
      expect(await refusal(gone.id)).toContain('is forgotten or its time is over');
      await api.memoir.idle();
      expect(await remembered(api, tag)).toEqual(before);
      expect(await api.found('note', tag)).toEqual([]);
    },
  );

  verifies('facts:replaces:refused', 'gets the statuses 404 and 409, one by one in a batch', async () => {
    const tag = api.newTag();
    const first = await tell(api, tag, 'Ada has a car');
    await api.ask('PATCH', PATH, { containerTag: tag, id: first.id, newContent: 'Ada has a van' });
    const body = (replaces: string) => ({
      content: 'A note.',
      containerTag: tag,
      facts: [{ content: 'Ada has a bike', replaces }],
    });
    expect((await api.post(body('nobody'))).status).toBe(404);
    expect((await api.post(body(first.id))).status).toBe(409);
    const batch = await api.ask<{ results: { status: string; error?: string }[] }>(
      'POST',
      '/v3/documents/batch',
      { documents: [body('nobody'), { content: 'Taken.', containerTag: tag }] },
    );
    expect(batch.body.results).toMatchObject([
      { status: 'error', error: expect.stringContaining('No memory under exactly') },
      { status: 'queued' },
    ]);
  });

  verifies('facts:replaces:refused', 'is taken again from a client that repeats its request', async () => {
    const tag = api.newTag();
    const old = await tell(api, tag, 'Ada has a car');
    const sent = {
      content: 'A note.',
      containerTag: tag,
      facts: [{ content: 'Ada has a van', replaces: old.id }],
    };
    await state(api, 'rest', sent);
    await state(api, 'rest', sent);
    expect((await latest(api, tag)).get('Ada has a van')).toMatchObject({ version: 2, sourceCount: 2 });
  });
});

describe('the answer to content with facts', () => {
  verifies('facts:answer:similar', 'names the memories that a fact seems to change', async ({ way }) => {
    const tag = api.newTag();
    const old = await tell(api, tag, 'Ada works as a nurse at the Sint-Jan hospital');
    await tell(api, tag, 'The office printer is out of paper');
    const changed = 'Ada works as a teacher at the Sint-Jan hospital';
    const { similar } = await send(api, way, { content: 'News.', containerTag: tag, facts: [changed] });
    expect(similar).toEqual([{ id: old.id, memory: 'Ada works as a nurse at the Sint-Jan hospital' }]);
    const other = api.newTag();
    const elsewhere = await send(api, way, { content: 'News.', containerTag: other, facts: [changed] });
    expect(elsewhere.similar).toEqual([]);
  });

  verifies('facts:answer:similar', 'names another value of the same thing, in whatever words', async () => {
    const tag = api.newTag();
    const old = await tell(api, tag, 'Ada lives in Ghent');
    const { similar } = await send(api, 'rest', {
      content: 'News.',
      containerTag: tag,
      facts: ['Ada moved to Rome'],
    });
    expect(similar).toEqual([{ id: old.id, memory: 'Ada lives in Ghent' }]);
  });

  verifies(
    'facts:answer:similar',
    'names none that is only about the same person, where little is known of her',
    async () => {
      const tag = api.newTag();
      for (const known of ['The user is called Priya', 'Priya lives in Leeds']) await tell(api, tag, known);
      const job = await tell(api, tag, 'Priya works as a product manager at Northwind');
      const similarTo = async (fact: string) =>
        (await send(api, 'rest', { content: 'News.', containerTag: tag, facts: [fact] })).similar;
      expect(await similarTo('Priya drinks black coffee without sugar')).toEqual([]);
      const [first] = await similarTo('Priya is now a director at Northwind');
      expect(first?.id).toBe(job.id);
    },
  );

  verifies('facts:answer:similar', 'names three at the most, and none without facts', async () => {
    const tag = api.newTag();
    for (const town of ['Rome', 'Oslo', 'Lyon', 'Bern', 'Graz'])
      await tell(api, tag, `Ada has been to ${town} for a week`);
    const asked = { content: 'Ada has been to Ghent for a week.', containerTag: tag };
    const { body } = await api.ask('POST', '/v3/documents', {
      ...asked,
      facts: [{ content: 'Ada has been to Ghent for a week' }],
    });
    expect(body.similar).toHaveLength(3);
    expect((await api.ask('POST', '/v3/documents', asked)).body).not.toHaveProperty('similar');
  });
});

describe('content with facts that is sent again', () => {
  const long = (about: string): string =>
    `${about} ${Array.from({ length: 60 }, (_, at) => `Then follows sentence ${at} of the part about ${about.split(' ')[0]}.`).join(' ')}`;
  const HOUSE = long('Houses: the house in Ghent has a slate roof.');
  const GARDEN = long('Gardens: the pear tree was planted in 1950.');
  const CELLAR = long('Cellars: the cellar holds forty barrels.');
  const facts = ['The house in Ghent has a slate roof', 'The pear tree was planted in 1950'];

  verifies('facts:resend:kept', 'without facts keeps those of unchanged passages', async () => {
    const [tag, customId] = [api.newTag(), `report ${api.newTag()}`];
    const sent = { containerTag: tag, customId };
    const { id } = await state(api, 'rest', { ...sent, content: `${HOUSE}\n\n${GARDEN}`, facts });
    const before = await latest(api, tag);
    expect([...before.keys()].sort()).toEqual([...facts].sort());
    await state(api, 'rest', { ...sent, content: `${HOUSE}\n\n${GARDEN}` });
    expect(await latest(api, tag)).toEqual(before);
    await api.patch(id, { content: `${HOUSE}\n\n${CELLAR}\n\nAnna lives in Berlin.` });
    await api.memoir.remembered(id);
    const after = await remembered(api, tag);
    expect(after).toContain(facts[0]);
    expect(after).not.toContain(facts[1]);
    expect(after.join()).toContain('Berlin');
  });

  verifies('facts:resend:replaced', 'with facts has these only', async () => {
    const [tag, customId] = [api.newTag(), `note ${api.newTag()}`];
    const sent = { containerTag: tag, customId, content: TALK };
    await state(api, 'rest', sent);
    expect(await remembered(api, tag)).toContain('Ada lives in Ghent');
    await state(api, 'rest', { ...sent, facts: ['Ada keeps two dogs', 'Ada dislikes noise'] });
    expect((await remembered(api, tag)).sort()).toEqual(['Ada dislikes noise', 'Ada keeps two dogs']);
    const kept = (await latest(api, tag)).get('Ada keeps two dogs');
    await state(api, 'rest', { ...sent, facts: ['Ada keeps two dogs', 'Ada likes silence'] });
    const entries = await latest(api, tag);
    expect([...entries.keys()].sort()).toEqual(['Ada keeps two dogs', 'Ada likes silence']);
    expect(entries.get('Ada keeps two dogs')?.id).toBe(kept?.id);
    const again = await api.ask('POST', '/v3/documents', {
      ...sent,
      facts: [{ content: 'Ada keeps two dogs' }, { content: 'Ada likes silence' }],
    });
    expect(again.body).toMatchObject({ status: 'done' });
  });

  verifies('facts:resend:replaced', 'as a new part alone adds its facts', async () => {
    const [tag, customId] = [api.newTag(), `chat ${api.newTag()}`];
    const sent = { containerTag: tag, customId };
    await state(api, 'rest', { ...sent, content: 'user: The bees are well.', facts: ['Ada has bees'] });
    await state(api, 'rest', { ...sent, content: 'user: I live in Ghent.' });
    await state(api, 'rest', { ...sent, content: 'user: I rowed today.', facts: ['Ada rows'] });
    expect((await remembered(api, tag)).sort()).toEqual([
      'Ada has bees',
      'Ada rows',
      'The user lives in Ghent',
    ]);
    const note = { containerTag: api.newTag(), customId: `note ${tag}` };
    await state(api, 'rest', { ...note, content: 'The bees are well.', facts: ['Ada has bees'] });
    await state(api, 'rest', { ...note, content: 'She rowed today.', facts: ['Ada rows'] });
    expect((await remembered(api, note.containerTag)).sort()).toEqual(['Ada has bees', 'Ada rows']);
  });

  verifies(
    ['facts:resend:kept', 'facts:resend:replaced'],
    'keeps apart what is stated and what is read, however quickly the parts follow each other',
    async () => {
      const [tag, customId] = [api.newTag(), `chat ${api.newTag()}`];
      const parts: [string, string[]?][] = [
        ['user: The bees are well.', ['Ada has bees']],
        ['user: I live in Ghent.'],
        ['user: I rowed today.', ['Ada rows']],
        ['user: My sister is called Grete.'],
        ['user: It rained.', ['Ada has an umbrella']],
      ];
      let id = '';
      for (const [content, stated] of parts)
        ({ id } = await send(api, 'rest', {
          containerTag: tag,
          customId,
          content,
          ...(stated === undefined ? {} : { facts: stated }),
        }));
      await api.memoir.idle();
      await api.memoir.remembered(id);
      expect((await remembered(api, tag)).sort()).toEqual([
        'Ada has an umbrella',
        'Ada has bees',
        'Ada rows',
        'The user lives in Ghent',
        expect.stringContaining('Grete'),
      ]);
      expect(await api.texts(id)).toHaveLength(5);
    },
  );
});
