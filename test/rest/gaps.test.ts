// What is promised and not kept yet. Each test fails today; the one that begins to pass has to become a citation.
import { describe, expect, test } from 'vitest';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const naming = () => ({ customId: `gap ${api.newTag()}`, containerTag: api.newTag() });

describe('resend:failed:retried', () => {
  test.fails('a document whose content was no text is mended by sending text', async () => {
    const named = naming();
    await api.add({ content: 'No text: \u0000.', ...named });
    const mended = await api.add({ content: 'The text of it.', ...named });
    expect(mended).toMatchObject({ status: 'done', content: 'The text of it.' });
  });

  test.fails('what was no text does not spoil what was sent before and after', async () => {
    const named = naming();
    await api.add({ content: 'user: Before.', ...named });
    await api.add({ content: 'No text: \u0000.', ...named });
    const { id, status } = await api.add({ content: 'user: After.', ...named });
    expect([status, await api.texts(id)]).toEqual(['done', ['Before.', 'After.']]);
  });

  test.fails('the HTML of a page sent for its address is read as HTML', async () => {
    const named = naming();
    await api.add({ content: 'https://example.com/page', ...named });
    const { id, type } = await api.add({ content: '<p>The <b>page</b> itself.</p>', ...named });
    expect([type, await api.texts(id)]).toEqual(['text', ['The **page** itself.']]);
  });
});

describe('resend:disjoint:appended, content:html:main-content', () => {
  const page = (subject: string) =>
    `<!doctype html><html><body><article><h1>${subject}</h1><p>${`${subject} of the north. `.repeat(30)}</p></article></body></html>`;

  test.fails('a text that is sent for a page is found', async () => {
    const named = naming();
    await api.add({ content: page('Herons'), ...named });
    await api.add({ content: 'Kettles whistle when they boil.', ...named });
    expect(await api.found('kettles', named.containerTag)).toHaveLength(1);
  });

  test.fails('another page that is sent for a page is found', async () => {
    const named = naming();
    await api.add({ content: page('Herons'), ...named });
    await api.add({ content: page('Kettles'), ...named });
    expect(await api.found('kettles', named.containerTag)).not.toEqual([]);
  });

  test.fails('a page that is sent for a text is found without its tags', async () => {
    const named = naming();
    await api.add({ content: 'Kettles whistle when they boil.', ...named });
    await api.add({ content: page('Herons'), ...named });
    expect(await api.found('doctype', named.containerTag)).toEqual([]);
  });
});

describe('documents:update:content-replaces', () => {
  test.fails('a text that an update replaced is not found, though the new one could not be read', async () => {
    const tag = api.newTag();
    const { id } = await api.add({ content: 'A secret about kettles.', containerTag: tag });
    await api.patch(id, { content: 'https://example.com/instead' });
    expect((await api.settled(id)).status).toBe('failed');
    expect(await api.found('kettles', tag)).toEqual([]);
  });
});
