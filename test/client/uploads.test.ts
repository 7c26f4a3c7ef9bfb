// Files, as the published client sends them.
import Supermemory from 'supermemory';
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { useServer } from '../support/use-server.ts';

const memoir = useServer();
let client: Supermemory;
beforeAll(async () => {
  client = new Supermemory({ baseURL: memoir.url, apiKey: memoir.key, maxRetries: 0 });
});

type Params = Parameters<typeof client.documents.uploadFile>[0];

const fileOf = (text: string, name: string, type = 'text/plain'): File => new File([text], name, { type });

const uploaded = async (body: object) => {
  const accepted = await client.documents.uploadFile(body as Params);
  expect(accepted).toEqual({ id: expect.any(String), status: 'queued' });
  return { id: accepted.id, read: await memoir.settled(accepted.id) };
};

describe('files', () => {
  verifies('client:documents:upload', 'files are uploaded with what its types know', async () => {
    const { id, read } = await uploaded({
      file: fileOf('Ada keeps her bees behind the orchard.', 'bees.txt'),
      containerTag: 'farm',
      filepath: '/farm/bees.txt',
      metadata: JSON.stringify({ kind: 'note', hives: 3 }),
      fileType: 'text',
      mimeType: 'text/plain',
      taskType: 'memory',
      useAdvancedProcessing: 'true',
    });
    expect(read).toMatchObject({
      content: 'Ada keeps her bees behind the orchard.',
      status: 'done',
      containerTags: ['farm'],
      filepath: '/farm/bees.txt',
      metadata: { kind: 'note', hives: 3 },
    });
    expect(await client.documents.get(id)).toMatchObject({ id, type: 'text', status: 'done' });
  });

  verifies('client:documents:upload', 'files are uploaded with what its types omit', async () => {
    const fields = {
      customId: 'u/b c:d',
      containerTags: ['farm', 'bees, and more'],
      metadata: { kind: 'table', rows: 2, open: true },
      entityContext: 'Ada runs a farm.',
      filterByMetadata: { kind: 'table' },
      dreaming: 'instant',
    };
    const { id, read } = await uploaded({
      ...fields,
      file: fileOf('hive,honey\nnorth,12\n', 'honey.csv', 'text/csv'),
    });
    const { customId, containerTags } = fields;
    expect(read).toMatchObject({ customId, containerTags });
    expect(read.metadata).toMatchObject({ kind: 'table', open: 'true', rows: '2' });
    expect((await client.documents.get('u/b c:d')).id).toBe(id);
    const found = await client.search.documents({ q: 'honey', containerTags: ['bees, and more'] });
    expect(found.results).toMatchObject([{ documentId: id }]);
  });

  verifies('client:documents:upload', 'files sent again under their customId are nothing new', async () => {
    const once = () => ({ file: fileOf('The gate stays shut.', 'gate.md'), customId: 'gate' });
    const { id } = await uploaded(once());
    const again = await client.documents.uploadFile(once() as Params);
    expect(again).toEqual({ id, status: 'done' });
  });

  verifies('client:documents:upload', 'files that are refused throw the class of the answer', async () => {
    const image = { file: fileOf('x', 'x.png'), fileType: 'image' };
    await expect(client.documents.uploadFile(image)).rejects.toThrow(Supermemory.BadRequestError);
    const bound = new Supermemory({
      baseURL: memoir.url,
      apiKey: await memoir.scopedKey(['bound']),
      maxRetries: 0,
    });
    const foreign = { file: fileOf('x', 'x.txt'), containerTag: 'farm' };
    await expect(bound.documents.uploadFile(foreign)).rejects.toThrow(Supermemory.PermissionDeniedError);
  });
});
