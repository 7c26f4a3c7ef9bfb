import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const rest = useMemoir();

describe('connections', () => {
  verifies('connections:not-built:answers', 'connections are none, for whoever asks', async () => {
    for (const body of [undefined, {}, { containerTags: ['a'] }]) {
      const { status, body: listed } = await rest.ask('POST', '/v3/connections/list', body);
      expect([status, listed]).toEqual([200, []]);
    }
    const key = await rest.memoir.scopedKey(['mine']);
    expect((await rest.ask('POST', '/v3/connections/list', {}, { key })).status).toBe(200);
    const foreign = await rest.ask('POST', '/v3/connections/list', { containerTags: ['theirs'] }, { key });
    expect(foreign.status).toBe(403);
  });

  verifies(
    'connections:not-built:answers',
    'connections cannot be made or asked about, and clients do not insist',
    async () => {
      const calls: [string, string, object?][] = [
        ['POST', '/v3/connections/notion', {}],
        ['GET', '/v3/connections/8Zk3vQm1TfYc7RnWdP2xLs'],
        ['DELETE', '/v3/connections/8Zk3vQm1TfYc7RnWdP2xLs?deleteDocuments=false'],
        ['DELETE', '/v3/connections/notion', { containerTags: ['a'] }],
        ['POST', '/v3/connections/notion/connection', { containerTags: ['a'] }],
        ['POST', '/v3/connections/notion/documents', {}],
        ['POST', '/v3/connections/notion/import', {}],
        ['POST', '/v3/connections/8Zk3vQm1TfYc7RnWdP2xLs/configure', { resources: [] }],
        ['GET', '/v3/connections/8Zk3vQm1TfYc7RnWdP2xLs/resources?page=1&per_page=5'],
      ];
      for (const [method, path, body] of calls) {
        const answer = await rest.ask<Refusal>(method, path, body);
        expect([path, answer.status]).toEqual([path, 501]);
        expect(answer.headers.get('x-should-retry')).toBe('false');
        expect(answer.body.error).toContain('cannot connect to outside sources yet');
      }
    },
  );
});
