// Runs one table of calls in three ways: with our client, with plain fetch, and with the published client.
import Supermemory from 'supermemory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Memoir } from '../../sdk/src/index.generated.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { CONTENT, type Row, type Scene, table } from './table.ts';

let memoir: OwnMemoir;
beforeAll(async () => {
  memoir = await startMemoir();
});
afterAll(() => memoir.close());

interface Sent {
  method: string;
  path: string;
  body?: unknown;
  status: number;
}

interface Outcome {
  got: unknown;
  /** By the name of its class. */
  failed: string | undefined;
  sent: Sent[];
}

let scenes = 0;

/** The data before each row: a processed document, and a created memory. */
const sceneOf = async (): Promise<Scene> => {
  const tag = `scene-${++scenes}`;
  const { id } = await memoir.add({ content: CONTENT, containerTag: tag });
  await memoir.remembered(id);
  return { tag, id, memoir };
};

const needsMemory = ({ method }: Row): boolean => method.startsWith('memories.');

const recording = (sent: Sent[]): typeof fetch => {
  const record = async (input: unknown, init: RequestInit = {}) => {
    const url = new URL(String(input));
    const answer = await fetch(url, init);
    // The published client tries out with a data: address what the runtime's forms can do.
    if (url.protocol !== 'http:') return answer;
    sent.push({
      method: (init.method ?? 'GET').toUpperCase(),
      path: url.pathname + url.search,
      status: answer.status,
      ...(typeof init.body === 'string' ? { body: JSON.parse(init.body) as unknown } : {}),
    });
    return answer;
  };
  return record as typeof fetch;
};

const byClient = async (row: Row, scene: Scene, client: Memoir, sent: Sent[]): Promise<Outcome> => {
  try {
    return { got: (await row.call(client, scene)) ?? null, failed: undefined, sent };
  } catch (error) {
    const refused = error as { error: unknown; constructor: { name: string } };
    return { got: refused.error, failed: refused.constructor.name, sent };
  }
};

type Way = (row: Row, scene: Scene) => Promise<Outcome>;

const ours: Way = (row, scene) => {
  const sent: Sent[] = [];
  const client = new Memoir({ baseURL: memoir.url, apiKey: memoir.key, fetch: recording(sent) });
  return byClient(row, scene, client, sent);
};

const published: Way = (row, scene) => {
  const sent: Sent[] = [];
  const client = new Supermemory({ baseURL: memoir.url, apiKey: memoir.key, fetch: recording(sent) });
  return byClient(row, scene, client as unknown as Memoir, sent);
};

const plain: Way = async (row, scene) => {
  const sent: Sent[] = [];
  const { method, path, body, form } = row.request(scene);
  const answer = await recording(sent)(memoir.url + path, {
    method,
    headers: {
      authorization: `Bearer ${memoir.key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form === undefined ? {} : { body: form }),
  });
  const text = await answer.text();
  return { got: text === '' ? null : JSON.parse(text), failed: answer.ok ? undefined : row.fails, sent };
};

const ways: [string, Way][] = [
  ['our client', ours],
  ['plain fetch', plain],
  ['the published client', published],
];

describe.each(ways)('through %s', (_name, way) => {
  test.each(table.map((row) => [row.method, row] as const))(
    'the call %s gives the result of the table',
    async (_method, row) => {
      const scene = await sceneOf();
      if (needsMemory(row)) {
        const body = { containerTag: scene.tag, memories: [{ content: 'Ada likes cake.' }] };
        expect((await memoir.ask('POST', '/v4/memories', body)).status).toBe(201);
      }
      const { got, failed, sent } = await way(row, scene);
      const { form: _form, ...request } = row.request(scene);
      // Once: neither 409 nor 501 is asked again by a client that listens.
      expect(sent).toEqual([{ ...request, status: row.status }]);
      expect(failed).toBe(row.fails);
      const expected = row.gets(scene);
      if (typeof expected === 'object' && expected !== null) expect(got).toMatchObject(expected);
      else expect(got).toBe(expected);
    },
  );
});

test('the table names every method of the published client', () => {
  const client = new Supermemory({ baseURL: memoir.url, apiKey: 'k' });
  const parts = ['documents', 'search', 'memories', 'settings', 'connections'] as const;
  const methods = parts.flatMap((part) => {
    const prototype = Object.getPrototypeOf(client[part]) as object;
    const own = [...Object.getOwnPropertyNames(prototype), ...Object.getOwnPropertyNames(client[part])];
    return own
      .filter(
        (name) => typeof Reflect.get(client[part], name) === 'function' && !/^(constructor|_.*)$/.test(name),
      )
      .map((name) => `${part}.${name}`);
  });
  const named = new Set(table.map(({ method }) => method));
  const missing = [...new Set(methods)].filter((method) => !named.has(method));
  expect(missing).toEqual([]);
});
