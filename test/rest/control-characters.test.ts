// Control characters, such as the NUL in the output of tools: the text around them is stored by every operation.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { fileOf, postForm } from './support/upload.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const naming = () => ({ customId: `controls ${api.newTag()}`, containerTag: api.newTag() });

const NUL = '\u0000';

describe('a text with control characters', () => {
  verifies(
    'content:controls:removed',
    'is stored without them, and everything else of it is kept and found',
    async () => {
      const tag = api.newTag();
      const content = `The heron${NUL} waits.\r\n\tIt\u0001 is \u001bpatient\u007f\u009f. ✓\u000bThen it strikes.`;
      const document = await api.add({ content, containerTag: tag });
      const kept = 'The heron waits.\r\n\tIt is patient. ✓\nThen it strikes.';
      expect(document).toMatchObject({ status: 'done', content: kept, failure: null, note: null });
      expect((await api.found('heron patient strikes', tag)).join('\n')).toContain('patient');
      for (const text of ['%PDF-1.7\nis how a PDF begins, said the heron.', '\ufffd'.repeat(40)])
        expect(await api.add({ content: text })).toMatchObject({ status: 'done', content: text });
    },
  );

  verifies('content:controls:removed', 'is refused when nothing else is in it', async () => {
    for (const content of [NUL, '\u0001\u0002 \n\u001f'.repeat(40)]) {
      const { status, body } = await api.post({ content });
      expect([status, body.error]).toEqual([400, expect.stringContaining('must not be blank')]);
    }
  });

  verifies(
    'content:controls:removed',
    'is the same text for a batch, an update, a conversation and a memory',
    async () => {
      const tag = api.newTag();
      const batch = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', {
        documents: [`One${NUL} heron.`, { content: `Two${NUL} herons.` }],
        containerTag: tag,
      });
      const [one = '', two = ''] = batch.body.results.map(({ id }) => id);
      expect([(await api.settled(one)).content, (await api.settled(two)).content]).toEqual([
        'One heron.',
        'Two herons.',
      ]);
      await api.patch(one, { content: `Three${NUL} herons.` });
      expect(await api.settled(one)).toMatchObject({ status: 'done', content: 'Three herons.' });
      expect(await api.texts(one)).toEqual(['Three herons.']);

      const messages = [
        { role: 'user', content: `Where${NUL} do herons nest?` },
        { role: 'assistant', content: [{ type: 'text', text: `In tall${NUL} trees.` }] },
      ];
      const conversationId = `talk ${tag}`;
      const talk = { conversationId, containerTags: [tag] };
      await api.ask('POST', '/v4/conversations', { ...talk, messages });
      await api.settled(conversationId);
      const clean = { role: 'user', content: 'Where do herons nest?' };
      const more = [clean, messages[1], { role: 'user', content: 'Why?' }];
      await api.ask('POST', '/v4/conversations', { ...talk, messages: more });
      expect(await api.settled(conversationId)).toMatchObject({ status: 'done', note: null });
      expect(await api.texts(conversationId)).toEqual(['Where do herons nest?', 'In tall trees.', 'Why?']);

      const made = await api.ask<{ memories: { memory: string }[] }>('POST', '/v4/memories', {
        containerTag: tag,
        memories: [{ content: `Ada${NUL} prefers tea.` }],
      });
      expect(made.body.memories).toMatchObject([{ memory: 'Ada prefers tea.' }]);
    },
  );

  verifies(
    ['content:controls:removed', 'resend:in-flight:processed-after'],
    'is a turn like any other, also among turns that are sent at once',
    async () => {
      const named = naming();
      const turns = Array.from({ length: 6 }, (_, at) => `user: Turn ${at}${at === 3 ? NUL : ''} says so.`);
      const answers = await Promise.all(turns.map((content) => api.post({ content, ...named })));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      const id = answers[0]?.body.id ?? '';
      await api.settled(id);
      await api.memoir.idle();
      expect(await api.read(id)).toMatchObject({ status: 'done', failure: null });
      expect((await api.texts(id)).sort()).toEqual(
        Array.from({ length: 6 }, (_, at) => `Turn ${at} says so.`),
      );
    },
  );
});

verifies('content:controls:file', 'a log with single NULs is read as text', async () => {
  const tag = api.newTag();
  const log = `GET /heron 200${NUL}\nGET /egret 404\n`;
  const { body } = await postForm(api.memoir, [
    ['containerTag', tag],
    ['file', fileOf(log), 'server.log'],
  ]);
  expect(await api.settled(body.id)).toMatchObject({ status: 'done', failure: null });
  expect((await api.found('egret', tag)).join('')).not.toContain(NUL);
});
