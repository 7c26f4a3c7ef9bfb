// Pages and texts sent under one customId: each is read as what it is, nothing is lost and no tag is found.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const NOTE = 'Kettles whistle when they boil.';
const page = (subject: string, more = '') =>
  `<!doctype html><html><head><title>${subject}</title></head><body><article><h1>${subject}</h1><p>${`${subject} of the north. `.repeat(30)}${more}</p></article></body></html>`;

/** Sends these one after the other under one customId. */
const sent = async (...contents: string[]) => {
  const named = { customId: `pages ${api.newTag()}`, containerTag: api.newTag() };
  for (const content of contents) await api.add({ content, ...named });
  const { id, status, content, title } = await api.read(named.customId);
  const found = async (words: string) => (await api.found(words, named.containerTag)).length;
  return { id, status, content, title, texts: await api.texts(id), found };
};

const noTags = (texts: string[]) => expect(texts.join('\n')).not.toMatch(/<\/?\w|doctype/i);

describe('under one customId', () => {
  verifies(
    ['resend:page:beside-text', 'resend:disjoint:appended', 'content:html:main-content'],
    'a text behind a page is found beside it',
    async () => {
      const { status, content, title, texts, found } = await sent(page('Herons'), NOTE);
      expect([status, content, title]).toEqual(['done', `${page('Herons')}\n\n${NOTE}`, 'Herons']);
      expect([await found('kettles'), await found('herons')]).toEqual([1, 1]);
      expect(texts.at(-1)).toBe(NOTE);
      noTags(texts);
    },
  );

  verifies(
    ['resend:page:beside-text', 'resend:disjoint:appended', 'content:html:main-content'],
    'a page behind a text is found without its tags',
    async () => {
      const { texts, found } = await sent(NOTE, page('Herons'));
      expect([await found('kettles'), await found('herons'), await found('doctype')]).toEqual([1, 1, 0]);
      expect(texts[0]).toBe(NOTE);
      noTags(texts);
    },
  );

  verifies(
    ['resend:page:beside-text', 'resend:disjoint:appended'],
    'another page is found beside the first',
    async () => {
      const { texts, found } = await sent(page('Herons'), page('Kettles'));
      expect([await found('kettles'), await found('herons')]).toEqual([1, 1]);
      noTags(texts);
    },
  );

  verifies(
    ['resend:page:beside-text', 'resend:edited:replaced', 'resend:custom-id:only-new-processed'],
    'a page that changed replaces the former, and what is beside it stays',
    async () => {
      const customId = `pages ${api.newTag()}`;
      for (const content of [NOTE, page('Herons')]) await api.add({ customId, content });
      const [note] = await api.chunks(customId);
      const { content } = await api.add({ customId, content: page('Herons', 'They fly south.') });
      expect(content).toBe(`${NOTE}\n\n${page('Herons', 'They fly south.')}`);
      const after = await api.chunks(customId);
      expect(after[0]).toEqual(note);
      expect(after.filter((chunk) => chunk.content.includes('They fly south.'))).toHaveLength(1);
    },
  );

  verifies(
    ['resend:page:beside-text', 'resend:turn:appended'],
    'a conversation goes on, whatever pages came in between',
    async () => {
      const turns = ['user: Where do kettles whistle?', 'assistant: On the stove.'];
      const { content, texts } = await sent(turns[0] ?? '', page('Herons'), turns[1] ?? '');
      expect(content).toBe(`${turns.join('\n')}\n\n${page('Herons')}`);
      expect(texts.slice(0, 2)).toEqual(['Where do kettles whistle?', 'On the stove.']);
    },
  );

  verifies(
    ['documents:update:always-replaces', 'resend:page:beside-text'],
    'an update replaces all of them',
    async () => {
      const { id, found } = await sent(NOTE, page('Herons'));
      await api.patch(id, { content: 'Only this.' });
      expect(await api.settled(id)).toMatchObject({ status: 'done', content: 'Only this.' });
      expect(await api.texts(id)).toEqual(['Only this.']);
      expect([await found('kettles'), await found('herons')]).toEqual([0, 0]);
    },
  );
});
