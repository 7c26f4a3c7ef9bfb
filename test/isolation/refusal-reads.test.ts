// Tests that a refusal takes the same reads for what does not exist and for what belongs to others. Times vary with the
// machine, so the statements that run and the rows that they return are compared.
import { expect } from 'vitest';
import { agentKey, scopedKey } from '../rest/support/keys.ts';
import { upload } from '../rest/support/upload.ts';
import { type Refusal, type Rest, useMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';
import { type Read, watchReads } from './watched-reads.ts';

const api = useMemoir();

/** Processes that share a database look by themselves for a model that another one chose. */
const isOfACall = ([statement]: Read): boolean => !/\bfrom "?meta\b/.test(statement);

let reads: Read[] = [];
watchReads((read) => {
  if (isOfACall(read)) reads.push(read);
});

/** Keys are read when their cache is stale, at any call. */
const isOfTheCall = ([statement]: Read): boolean => !/\bfrom "?keys\b/.test(statement);

interface Told {
  status: number;
  error: string;
  reads: Read[];
}

type Ask = (path: string) => Promise<{ status: number; body: Refusal }>;

/** The refusal of a call about this thing, without the name of the thing. */
const toldAbout = async (ask: Ask, name: string): Promise<Told> => {
  reads = [];
  const { status, body } = await ask(name);
  const error = (body.error ?? '').replaceAll(name, '').replaceAll(encodeURIComponent(name), '');
  return { status, error, reads: reads.filter(isOfTheCall) };
};

const bound = async (rest: Rest) => {
  const [mine, theirs] = [rest.newTag(), rest.newTag()];
  const customId = `plan of ${theirs}`;
  const document = await rest.add({ content: 'The plan of the others.', customId, containerTag: theirs });
  const { key } = await scopedKey(rest, { containerTag: mine });
  return { mine, theirs, customId, id: document.id, as: { key } };
};

const uri = encodeURIComponent;

verifies(
  'isolation:refusal:same-path',
  'a customId of others is refused with the same reads as one that nobody has',
  async () => {
    const { customId, as } = await bound(api);
    const calls: [string, (ref: string) => string, object?][] = [
      ['GET', (ref) => `/v3/documents/${uri(ref)}`],
      ['GET', (ref) => `/v3/documents/${uri(ref)}/chunks`],
      ['GET', (ref) => `/v3/documents/${uri(ref)}/file-url`],
    ];
    for (const [method, path, body] of calls) {
      const ask: Ask = (ref) => api.ask<Refusal>(method, path(ref), body, as);
      const foreign = await toldAbout(ask, customId);
      expect(foreign.status).toBe(404);
      expect(foreign.reads.length, path('')).toBeGreaterThan(0);
      expect(await toldAbout(ask, customId.replace('plan', 'plam'))).toEqual(foreign);
    }
  },
);

verifies(
  'isolation:refusal:same-path',
  'a tag of others is refused with the same reads as a tag that nobody has: none',
  async () => {
    const { theirs, as } = await bound(api);
    const calls: [string, string, (tag: string) => object | undefined][] = [
      ['POST', '/v3/search', (containerTag) => ({ q: 'plan', containerTag })],
      ['POST', '/v4/search', (containerTag) => ({ q: 'plan', containerTag })],
      ['POST', '/v4/profile', (containerTag) => ({ containerTag })],
      ['POST', '/v3/documents/list', (containerTag) => ({ containerTags: [containerTag] })],
      ['POST', '/v4/memories/list', (containerTag) => ({ containerTags: [containerTag] })],
      ['POST', '/v3/documents', (containerTag) => ({ content: 'x', containerTag })],
    ];
    for (const [method, path, body] of calls) {
      const ask: Ask = (tag) => api.ask<Refusal>(method, path, body(tag), as);
      const foreign = await toldAbout(ask, theirs);
      expect([path, foreign.status, foreign.reads]).toEqual([path, 403, []]);
      expect(await toldAbout(ask, `${theirs}x`)).toEqual(foreign);
    }
    const record: Ask = (tag) => api.ask<Refusal>('GET', `/v3/container-tags/${uri(tag)}`, undefined, as);
    expect(await toldAbout(record, `${theirs}x`)).toEqual(await toldAbout(record, theirs));
  },
);

verifies(
  'isolation:refusal:same-path',
  'a changed link to a file of others is refused with the same reads as a link to nothing',
  async () => {
    const { id } = await upload(api, 'The plan of the others.', 'plan.txt', { containerTag: api.newTag() });
    const { url } = (await api.ask<{ url: string }>('GET', `/v3/documents/${id}/file-url`)).body;
    const bent = url.replace(/signature=[\w-]{4}/, 'signature=AAAA').replace(api.memoir.url, '');
    const ask: Ask = (path) => api.memoir.ask<Refusal>('GET', path, undefined, { key: null });
    const strip = ({ status, error, reads: [[statement] = ['', 0]] }: Told) => ({ status, error, statement });
    const foreign = await toldAbout(ask, bent);
    const nothing = await toldAbout(ask, bent.replace(id, 'x'.repeat(id.length)));
    expect(foreign.reads).toHaveLength(1);
    expect(nothing.reads).toHaveLength(1);
    expect(strip(nothing)).toEqual({ ...strip(foreign), status: 404 });
  },
);

verifies(
  'isolation:refusal:same-path',
  'a wrong key is refused with the same read as a key that is disabled',
  async () => {
    const made = await agentKey(api, { name: 'to be disabled' });
    await api.ask('DELETE', `/v3/auth/scoped-key/${made.id}`);
    const readsOf = async (key: string) => {
      reads = [];
      const { status } = await api.ask('GET', '/v3/session', undefined, { key });
      return [status, reads.map(([statement]) => statement)];
    };
    const disabled = await readsOf(made.key);
    expect(disabled).toEqual([401, [expect.stringContaining('from keys')]]);
    expect(await readsOf(`${made.key.slice(0, -1)}_`)).toEqual(disabled);
  },
);
