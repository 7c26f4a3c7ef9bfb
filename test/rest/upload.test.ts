import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { fileOf, head, type Part, postForm, sendRaw, upload } from './support/upload.ts';
import { watchUploads } from './support/upload-traces.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const FILE = ['file', fileOf('The heron waits.'), 'heron.txt'] as const;

const { leavesNothing } = watchUploads(api);

describe('a file', () => {
  verifies(
    ['upload:file:accepted', 'upload:file:queued', 'content:documents:text-files'],
    'a file is queued, read, found, and told as what it is',
    async () => {
      const tag = api.newTag();
      const { status, body } = await postForm(api.memoir, [['containerTag', tag], FILE]);
      expect([status, body]).toEqual([200, { id: expect.stringMatching(/^\w{22}$/), status: 'queued' }]);
      expect(await api.settled(body.id)).toMatchObject({
        status: 'done',
        content: 'The heron waits.',
        type: 'text',
        title: 'heron',
        containerTags: [tag],
        raw: { fileName: 'heron.txt', mimeType: 'text/plain', bytes: 16 },
      });
      expect(await api.found('heron', tag)).toEqual(['The heron waits.']);
      const markdown = await upload(api, '# Birds\n\nHerons and **egrets**.', 'birds.md', {
        containerTag: tag,
      });
      expect(markdown).toMatchObject({ status: 'done', title: 'Birds' });
    },
  );

  verifies(
    'upload:form:spellings',
    'a file has its tags and metadata in every spelling, before it or behind it',
    async () => {
      const fields: [Part[], object][] = [
        [[['containerTag', 'a']], { containerTags: ['a'] }],
        [[['containerTags', 'a, b']], { containerTags: ['a, b'] }],
        [[['containerTags', '["b","a"]']], { containerTags: ['b', 'a'] }],
        [
          [
            ['containerTags[]', 'b'],
            ['containerTags[]', 'a'],
          ],
          { containerTags: ['b', 'a'] },
        ],
        [
          [
            ['containerTags', 'b'],
            ['containerTags', 'a'],
          ],
          { containerTags: ['b', 'a'] },
        ],
        [
          [
            ['containerTag', 'x'],
            ['containerTags', '["x","y"]'],
          ],
          { containerTags: ['x', 'y'] },
        ],
        [[], { containerTags: ['sm_project_default'] }],
        [
          [['metadata', '{"kind":"note","level":3,"open":true}']],
          { metadata: { kind: 'note', level: 3, open: true } },
        ],
        [
          [
            ['metadata[kind]', 'note'],
            ['metadata[sub key]', '3'],
          ],
          { metadata: { kind: 'note', 'sub key': '3' } },
        ],
        [
          [
            ['unknown', 'is ignored'],
            ['useAdvancedProcessing', 'true'],
          ],
          { metadata: null },
        ],
        [
          [
            ['customId', ''],
            ['metadata', ''],
          ],
          { customId: null, metadata: null },
        ],
      ];
      for (const [parts, expected] of fields)
        for (const ordered of [
          [...parts, FILE],
          [FILE, ...parts],
        ]) {
          const { status, body } = await postForm(api.memoir, ordered);
          expect([status, body.error], JSON.stringify(parts)).toEqual([200, undefined]);
          expect(await api.read(body.id), JSON.stringify(parts)).toMatchObject(expected);
        }
    },
  );

  verifies(
    ['upload:form:fields', 'upload:file:container-tags'],
    'a file has every field that a text has',
    async () => {
      const document = await upload(api, 'The egret waits as well.', 'egret.txt', {
        ...{ containerTags: 'birds', customId: 'eg/ret 1', title: 'Egrets', filepath: '/birds/egret.txt' },
        ...{
          taskType: 'superrag',
          dreaming: 'instant',
          entityContext: 'About birds',
          fileType: 'notion_doc',
        },
        filterByMetadata: '{"kind":["note","log"]}',
      });
      expect(document).toMatchObject({
        ...{ status: 'done', customId: 'eg/ret 1', title: 'Egrets', filepath: '/birds/egret.txt' },
        ...{ taskType: 'superrag', containerTags: ['birds'], type: 'notion_doc' },
      });
    },
  );

  verifies('upload:legacy:in-place', 'a file is taken at the path of earlier clients as well', async () => {
    const body = new FormData();
    body.append('containerTag', api.newTag());
    body.append('file', new Blob(['The egret has moved.']), 'egret.txt');
    const headers = { authorization: `Bearer ${api.memoir.key}` };
    const answer = await fetch(`${api.memoir.url}/v3/memories/file`, { method: 'POST', headers, body });
    expect([answer.status, answer.redirected]).toEqual([200, false]);
    const { id } = (await answer.json()) as { id: string };
    expect((await api.settled(id)).content).toBe('The egret has moved.');
  });

  verifies('upload:form:mime-type', 'a file that is called an image or a video says which', async () => {
    for (const fileType of ['image', 'video']) {
      const { status, body } = await postForm(api.memoir, [['fileType', fileType], FILE]);
      expect([status, body.error]).toEqual([400, expect.stringMatching(/mimeType: is required/)]);
      const both: Part[] = [['fileType', fileType], ['mimeType', 'image/png'], FILE];
      expect((await postForm(api.memoir, both)).status).toBe(200);
    }
  });

  verifies('content:bytes:decide', 'a file is what its bytes say, whatever it is called', async () => {
    const html = '<html><body><h1>Tides</h1><p>High water at noon.</p></body></html>';
    const named: [string, string, object][] = [
      [html, 'tides.pdf', { type: 'webpage', content: expect.stringContaining('# Tides') }],
      [html, 'no ending', { type: 'webpage' }],
      ['Plain words.', 'words.docx', { type: 'text', content: 'Plain words.' }],
      ['Plain words.', 'words.png', { type: 'text' }],
    ];
    for (const [content, name, expected] of named)
      expect(await upload(api, content, name), name).toMatchObject({ status: 'done', ...expected });
    const forced = await upload(api, html, 'tides.html', { fileType: 'text' });
    expect(forced).toMatchObject({ type: 'text', content: html });
  });

  verifies(
    'upload:original:described',
    'a file keeps the name it has, in any script and without its folders',
    async () => {
      for (const [given, name] of [
        ['報告 №1 "final".txt', '報告 №1 "final".txt'],
        ['../../etc/passwd', 'passwd'],
        ['C:\\Users\\me\\plan.txt', 'plan.txt'],
      ] as const) {
        const { raw } = await upload(api, 'Text.', given);
        expect(raw).toMatchObject({ fileName: name });
      }
    },
  );
});

describe('a form', () => {
  verifies(
    ['upload:file:required', 'upload:form:one-file', 'upload:aborted:nothing-left'],
    'a form that is none, or not whole, is refused and leaves nothing',
    async () => {
      const refused: [Part[], RegExp][] = [
        [[['containerTag', 'a']], /file: must be a file, in a part of a multipart form that is named "file"/],
        [[['file', 'only a text']], /file: must be a file/],
        [[['other', fileOf('x'), 'x.txt']], /Send one file, in a part of the form that is named "file"/],
        [[FILE, FILE], /Send one file/],
        [[FILE, ['metadata', 'no json']], /metadata: must be a JSON object/],
        [[FILE, ['metadata', '{"a":{"b":1}}']], /metadata\.a: must be text/],
        [[FILE, ['metadata[a][b]', 'deep']], /metadata\.a: must be text/],
        [[FILE, ['customId', 'bulk']], /customId: is a reserved word/],
        [[FILE, ['entityContext', 'x'.repeat(1501)]], /entityContext/],
        [[FILE, ['fileType', 'spreadsheet']], /fileType/],
        [[FILE, ['containerTags', '[1]']], /containerTags/],
        [[FILE, ['title', 'x'.repeat(2 ** 20 + 1)]], /cannot be read: Field value too long/],
      ];
      for (const [parts, sentence] of refused)
        await leavesNothing(async () => {
          const { status, body } = await postForm(api.memoir, parts);
          expect([status, body.error], JSON.stringify(parts).slice(0, 100)).toEqual([
            400,
            expect.stringMatching(sentence),
          ]);
        });
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    ['upload:form:one-file', 'upload:aborted:nothing-left'],
    'a form is a multipart form, and well written',
    async () => {
      const sent: [Record<string, string>, string[], RegExp][] = [
        [{ 'content-type': 'application/json' }, ['{"file":"x"}'], /Send a form of the type multipart/],
        [{ 'content-type': 'multipart/form-data' }, ['x'], /cannot be read: Multipart: Boundary not found/],
        [{}, [head('file', 'a.txt'), 'broken off'], /cannot be read: Unexpected end of form/],
        [{ 'content-encoding': 'gzip' }, ['x'], /without the content encoding gzip/],
      ];
      for (const [headers, pieces, sentence] of sent)
        await leavesNothing(async () => {
          const answer = await sendRaw(api.memoir, { headers, pieces });
          expect([answer?.status, answer?.text]).toEqual([400, expect.stringMatching(sentence)]);
        });
    },
  );

  verifies('upload:aborted:nothing-left', 'a form without a good key or tag leaves nothing', async () => {
    const scoped = await api.memoir.scopedKey(['own']);
    const reading = await api.memoir.scopedKey(['own'], { permission: 'read' });
    for (const [key, status] of [
      ['sm_wrong_key_of_some_length', 401],
      [reading, 403],
      [scoped, 403],
    ] as const)
      await leavesNothing(async () => {
        const answer = await postForm(api.memoir, [['containerTag', 'foreign'], FILE], { key });
        expect(answer.status).toBe(status);
      });
  });
});
