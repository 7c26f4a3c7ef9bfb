// The text of a key is shown once, and what keys may do outlives a restart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../server/app/log.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';

const lines: string[] = [];
let memoir: OwnMemoir;
beforeAll(async () => {
  const log = createLog({ level: 'trace', destination: { write: (line) => lines.push(line) } });
  memoir = await startMemoir({}, { log });
});
afterAll(() => memoir.close());

interface Made {
  id: string;
  key: string;
}

const make = async (path: string, body: object): Promise<Made> => {
  const answer = await memoir.ask<Record<'id' | 'key', string>>('POST', path, body);
  expect(answer.status).toBe(200);
  return answer.body;
};

const secretOf = (key: string): string => key.slice(key.lastIndexOf('_') + 1);

/** Everything that is said with, of and about a key after it was made. */
const answersAbout = async ({ id, key }: Made): Promise<string> => {
  const calls: [string, string, unknown?, { key: string }?][] = [
    ['GET', '/v3/session', undefined, { key }],
    ['POST', '/v3/documents', { content: 'A note.', containerTag: 'a' }, { key }],
    ['POST', '/v3/documents', { content: 'A note.', containerTag: 'foreign' }, { key }],
    ['POST', '/v3/documents', {}, { key }],
    ['GET', '/v3/documents/none', undefined, { key }],
    ['POST', '/v3/auth/agent-key', { name: 'x' }, { key }],
    ['GET', '/v3/auth/keys'],
    ['GET', '/health'],
    ['PUT', `/v3/auth/keys/${id}/toggle`],
    ['GET', '/v3/session', undefined, { key }],
    ['PUT', `/v3/auth/keys/${id}/toggle`],
    ['DELETE', `/v3/auth/scoped-key/${key}`],
  ];
  const answers: string[] = [];
  for (const [method, path, body, as] of calls) {
    const answer = await memoir.ask(method, path, body, as);
    answers.push(JSON.stringify([[...answer.headers], answer.body]));
  }
  return answers.join('\n');
};

verifies(
  ['keys:form:shown-once', 'keys:list:items'],
  'a key is shown in full when it is made, and never again in an answer or in the log',
  async () => {
    const keys = [
      await make('/v3/auth/scoped-key', { containerTag: 'a' }),
      await make('/v3/auth/agent-key', { name: 'agent', permission: 'read', containerTags: ['a', 'b'] }),
      await make('/v3/auth/agent-key', { name: 'full', permission: 'write' }),
    ];
    const said = (await Promise.all(keys.map(answersAbout))).join('\n');
    await memoir.restart();
    const logged = lines.join('');
    expect(logged).toContain('A key was created.');
    for (const { key } of [...keys, { key: memoir.key }]) {
      expect(said).not.toContain(secretOf(key));
      expect(logged).not.toContain(secretOf(key));
    }
  },
);

test('every key means the same after a restart', async () => {
  const sessions = (keys: readonly string[]) =>
    Promise.all(
      keys.map(async (key) => {
        const { status, body } = await memoir.ask('GET', '/v3/session', undefined, { key });
        return { status, body };
      }),
    );
  const limits = { expiresInDays: 5, rateLimitMax: 50, rateLimitTimeWindow: 5_000 };
  const bound = await make('/v3/auth/scoped-key', { containerTags: ['日本語', 'a/b c@d'], ...limits });
  const reader = await make('/v3/auth/agent-key', { name: 'reader', permission: 'read' });
  const off = await make('/v3/auth/agent-key', { name: 'off', permission: 'write' });
  await memoir.ask('DELETE', `/v3/auth/scoped-key/${off.id}`);
  const keys = [memoir.key, bound.key, reader.key, off.key];
  const before = await sessions(keys);
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 401]);
  await memoir.restart();
  expect(await sessions(keys)).toEqual(before);
});
