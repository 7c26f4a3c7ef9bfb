// The original of an uploaded file: its link, what it is replaced by, and that it goes with its document.
import { createHmac, hkdfSync } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { until } from '../support/until.ts';
import { agentKey, expireAt } from './support/keys.ts';
import { fileOf, type Part, postForm, upload } from './support/upload.ts';
import { pathOf, useOwnMemoir } from './support/use-memoir.ts';

const SECRET_KEY = 'the key that links are signed with';

const api = useOwnMemoir(() => ({ MEMOIR_SECRET_KEY: SECRET_KEY }));

const kept = (): string[] => {
  const folder = join(api.memoir.dir, 'files');
  return existsSync(folder)
    ? globSync('**/*', { cwd: folder }).filter((name) =>
        statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
      )
    : [];
};

/** Empty: it was erased meanwhile. */
const textOf = (name: string): string => {
  try {
    return readFileSync(join(api.memoir.dir, 'files', name), 'utf8');
  } catch {
    return '';
  }
};

/** Under which the file with this content lies there. */
const keyOf = (content: string): string => basename(kept().find((name) => textOf(name) === content) ?? '');

/** The secret that signs links, as the server derives it from its key. */
const linkSecret = (): Buffer =>
  Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'memoir: links to files', 32));

/** Erasing is done beside; it must come to this. */
const comesTo = async (files: number): Promise<void> => {
  await until(`${files} files`, () => kept().length === files);
  expect(kept()).toHaveLength(files);
};

const linkOf = async (ref: string, as: { key?: string } = {}) =>
  api.ask<{ url: string; error: string }>('GET', `${pathOf(ref)}/file-url`, undefined, as);

const follow = async (url: string) => {
  const answer = await fetch(url, { redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const goodLink = async (ref: string): Promise<string> => (await linkOf(ref)).body.url;

describe('the link', () => {
  verifies(
    ['upload:file:original', 'auth:open:file-links', 'upload:link:harmless'],
    'the link gives the file as it was sent, to whoever has it, for saving and not for showing',
    async () => {
      const html = '<html><body><h1>Tides</h1><script>alert(1)</script></body></html>';
      const { id } = await upload(api, html, 'tides "1" ä.html', { customId: 'tides' });
      const { status, body } = await linkOf('tides');
      expect([status, body.url]).toEqual([
        200,
        expect.stringMatching(
          new RegExp(`^${api.memoir.url}/files/${id}\\?by=\\w+&expires=\\d{13}&signature=[\\w-]{43}$`),
        ),
      ]);
      const got = await follow(body.url);
      expect([got.status, got.text]).toEqual([200, html]);
      expect(got.headers.get('content-disposition')).toBe(
        `attachment; filename="tides _1_ _.html"; filename*=UTF-8''tides%20%221%22%20%C3%A4.html`,
      );
      expect(got.headers.get('x-content-type-options')).toBe('nosniff');
      expect(got.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      const looked = await fetch(body.url, { method: 'HEAD' });
      expect([looked.status, looked.headers.get('content-length')]).toEqual([200, String(html.length)]);
      expect((await fetch(body.url, { method: 'POST' })).status).toBe(405);
    },
  );

  verifies(
    'upload:link:bound',
    'the link leads nowhere when anything in it is changed, and says nothing then',
    async () => {
      const { id } = await upload(api, 'One.', 'one.txt');
      const { id: other } = await upload(api, 'Two.', 'two.txt');
      const url = new URL(await goodLink(id));
      const changed = (change: (copy: URL) => void) => {
        const copy = new URL(url);
        change(copy);
        return copy.href;
      };
      const set = (name: string, value: string) => changed((copy) => copy.searchParams.set(name, value));
      const signature = url.searchParams.get('signature') ?? '';
      const wrong = [
        changed((copy) => {
          copy.pathname = `/files/${other}`;
        }),
        changed((copy) => {
          copy.pathname = '/files/1111111111111111111111';
        }),
        changed((copy) => {
          copy.pathname = `/files/${id}x`;
        }),
        set('expires', String(Number(url.searchParams.get('expires')) + 1)),
        set('expires', 'Infinity'),
        set(
          'signature',
          signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
        ),
        set('signature', ''),
        changed((copy) => {
          copy.search = '';
        }),
      ];
      const answers = await Promise.all(wrong.map(follow));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
        new Set([`404 ${JSON.stringify({ error: expect.anything() }) && answers[0]?.text}`]),
      );
      expect((await follow(url.href)).text).toBe('One.');
    },
  );

  verifies(
    ['upload:file:original', 'upload:link:bound'],
    'the link works for 24 hours, and says when it is over',
    async () => {
      const { id } = await upload(api, 'Soon gone.', 'gone.txt');
      const url = new URL(await goodLink(id));
      const lasts = Number(url.searchParams.get('expires')) - Date.now();
      expect([lasts > 86_390_000, lasts <= 86_400_000]).toEqual([true, true]);
      const ending = (inMs: number) => {
        const expires = String(Date.now() + inMs);
        const by = 'local';
        const said = JSON.stringify([id, keyOf('Soon gone.'), by, expires]);
        const signature = createHmac('sha256', linkSecret()).update(said).digest('base64url');
        return follow(`${api.memoir.url}/files/${id}?${new URLSearchParams({ by, expires, signature })}`);
      };
      expect((await ending(5_000)).text).toBe('Soon gone.');
      const late = await ending(-1);
      expect([late.status, late.text]).toEqual([403, expect.stringContaining('This link has expired')]);
    },
  );

  verifies(
    'upload:link:ends-with-key',
    'the link ends with the key that asked for it, and begins again with it',
    async () => {
      const containerTag = api.newTag();
      const { id } = await upload(api, 'Of a key.', 'key.txt', { containerTag });
      const asked = async (body: object) => {
        const made = await agentKey(api, { containerTags: [containerTag], ...body });
        return { ...made, link: (await linkOf(id, { key: made.key })).body.url };
      };
      const [disabled, expired, lasting] = [
        await asked({}),
        await asked({ expiresInDays: 1 }),
        await asked({}),
      ];
      const shown = async (link: string) => {
        const { status, text } = await follow(link);
        return [status, text];
      };
      for (const { link } of [disabled, expired, lasting])
        expect(await shown(link)).toEqual([200, 'Of a key.']);
      await api.ask('DELETE', `/v3/auth/scoped-key/${disabled.id}`);
      await expireAt(api.memoir, expired.id, Date.now() - 1);
      const ended = [403, expect.stringContaining('This link ended with the key that asked for it')];
      expect([await shown(disabled.link), await shown(expired.link)]).toEqual([ended, ended]);
      expect(await shown(lasting.link)).toEqual([200, 'Of a key.']);
      await api.ask('PUT', `/v3/auth/keys/${disabled.id}/toggle`);
      expect(await shown(disabled.link)).toEqual([200, 'Of a key.']);
      await api.patch(id, { containerTags: [api.newTag()] });
      expect(await shown(lasting.link)).toEqual(ended);
      expect(await shown(await goodLink(id))).toEqual([200, 'Of a key.']);
    },
  );

  verifies(
    'upload:file:original',
    'the link is not given for a text, and not to whoever may not read the document',
    async () => {
      const { id } = await api.add({ content: 'Only a text.' });
      const none = await linkOf(id);
      expect([none.status, none.body.error]).toEqual([404, expect.stringContaining('has no file')]);
      const file = await upload(api, 'Secret.', 'secret.txt', {
        containerTag: 'vault',
        customId: 'in the vault',
      });
      const key = await api.memoir.scopedKey(['elsewhere']);
      expect((await linkOf(file.id, { key })).status).toBe(403);
      expect((await linkOf('in the vault', { key })).status).toBe(404);
      const reader = await api.memoir.scopedKey(['vault'], { permission: 'read' });
      expect((await follow((await linkOf(file.id, { key: reader })).body.url)).text).toBe('Secret.');
    },
  );
});

describe('sent again', () => {
  const send = async (content: string, more: Part[] = []) => {
    const parts: Part[] = [['customId', 'plan'], ...more, ['file', fileOf(content), 'plan.txt']];
    return (await postForm(api.memoir, parts)).body;
  };

  verifies('upload:resend:same', 'the same file is nothing new, and lies there once', async () => {
    const { id } = await send('The plan.');
    await api.settled(id);
    const files = kept().length;
    const chunks = await api.chunks(id);
    expect(await send('The plan.', [['metadata', '{"seen":true}']])).toEqual({ id, status: 'done' });
    expect(await api.read(id)).toMatchObject({ metadata: { seen: true } });
    expect(await api.chunks(id)).toEqual(chunks);
    await comesTo(files);
  });

  verifies(
    ['upload:resend:replaced', 'upload:deleted:erased'],
    'another file takes the place of the former, and its link leads nowhere',
    async () => {
      const { id } = await send('The plan of Monday.');
      await api.settled(id);
      await until('the file of the test before to be erased', () => keyOf('The plan.') === '');
      const files = kept().length;
      const former = await goodLink(id);
      expect(await send('The scheme for Friday.')).toEqual({ id, status: 'queued' });
      expect(await api.settled(id)).toMatchObject({ status: 'done', content: 'The scheme for Friday.' });
      expect((await follow(former)).status).toBe(404);
      expect((await follow(await goodLink(id))).text).toBe('The scheme for Friday.');
      await comesTo(files);
      const { body } = await api.patch(id, { content: 'Now it is only a text.' });
      await api.settled(body.id);
      expect(await api.read(id)).toMatchObject({
        content: 'Now it is only a text.',
        type: 'text',
      });
      expect(await api.read(id)).not.toHaveProperty('raw.fileName');
      expect((await linkOf(id)).status).toBe(404);
      await comesTo(files - 1);
    },
  );

  verifies('upload:resend:same', 'a file that failed is read again', async () => {
    const parts: Part[] = [
      ['customId', 'broken'],
      ['file', fileOf('%PDF-1.7 broken'), 'a.pdf'],
    ];
    const { id } = (await postForm(api.memoir, parts)).body;
    const failed = await api.settled(id);
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'corrupt_file' }, content: null });
    const files = kept().length;
    expect((await postForm(api.memoir, parts)).body).toEqual({ id, status: 'queued' });
    expect(await api.settled(id)).toMatchObject({ status: 'failed' });
    await comesTo(files);
    // A text in its place.
    await api.post({ content: 'What the file should have said.', customId: 'broken' });
    expect(await api.settled(id)).toMatchObject({
      status: 'done',
      content: 'What the file should have said.',
    });
    await comesTo(files - 1);
  });

  verifies('upload:resend:replaced', 'a text that comes later is added to what the file says', async () => {
    const tag = api.newTag();
    const parts: Part[] = [
      ['customId', 'log'],
      ['containerTag', tag],
      ['file', fileOf('Monday: rain.'), 'log.txt'],
    ];
    const { id } = (await postForm(api.memoir, parts)).body;
    await api.settled(id);
    await api.post({ content: 'Tuesday: the heron came back.', customId: 'log', containerTag: tag });
    expect(await api.settled(id)).toMatchObject({
      status: 'done',
      content: 'Monday: rain.\n\nTuesday: the heron came back.',
      raw: { fileName: 'log.txt' },
    });
    expect(await api.found('heron', tag)).toEqual(['Tuesday: the heron came back.']);
  });
});

verifies(
  'upload:deleted:erased',
  'what is deleted, by id, tag or path, takes its file along, and its link leads nowhere',
  async () => {
    await comesTo(kept().length);
    const before = kept().length;
    const fields = { containerTag: 'going', filepath: '/going/file.txt' };
    const documents = [];
    for (const name of ['a', 'b', 'c', 'd']) documents.push(await upload(api, `File ${name}.`, name, fields));
    expect(kept()).toHaveLength(before + 4);
    const links = await Promise.all(documents.map(({ id }) => goodLink(id)));
    await api.remove(documents[0]?.id ?? '');
    await api.ask('DELETE', '/v3/documents/bulk', { ids: [documents[1]?.id] });
    expect(await Promise.all(links.slice(0, 2).map(async (url) => (await follow(url)).status))).toEqual([
      404, 404,
    ]);
    await comesTo(before + 2);
    await api.ask('DELETE', '/v3/documents/bulk', { filepath: '/going/' });
    await comesTo(before);
    const last = await upload(api, 'Under a tag.', 'e', fields);
    await api.ask('DELETE', '/v3/container-tags/going');
    await comesTo(before);
    expect((await linkOf(last.id)).status).toBe(404);
  },
  { timeoutMs: 60_000 },
);

verifies(
  ['upload:file:original', 'upload:deleted:erased'],
  'a document that moves to other tags keeps its file and is not read again',
  async () => {
    const { id } = await upload(api, 'row,price\n1,10\n2,20\n', 'prices.csv', { containerTag: 'here' });
    const before = await api.chunks(id);
    await api.patch(id, { containerTag: 'there' });
    expect(await api.settled(id)).toMatchObject({ status: 'done', containerTags: ['there'] });
    const texts = ({ content, metadata }: { content: string; metadata?: unknown }) => [content, metadata];
    expect((await api.chunks(id)).map(texts)).toEqual(before.map(texts));
    expect((await follow(await goodLink(id))).text).toBe('row,price\n1,10\n2,20\n');
  },
);
