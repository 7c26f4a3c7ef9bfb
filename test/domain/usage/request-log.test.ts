// The log of requests keeps no text unless it was asked to.
import { describe, expect, it } from 'vitest';
import type { Called, CallFacts } from '../../../server/core/events.ts';
import { inOutline, requestRow } from '../../../server/domain/usage/request-log.ts';
import { typedOperations, usageTypeOf } from '../../../server/domain/usage/types.ts';
import { namespaceRows } from '../../../server/http/namespaces/rows.ts';
import { operations } from '../../../tools/registry.generated.ts';

const ID = '1BQ8vWzUqTfGZ4kS9xNc7d';

const call: Called = {
  ...{ operation: 'search.documents', way: 'rest', requestId: 'r', keyId: 'k', status: 200, ms: 3 },
};

const facts: CallFacts = {
  ...{ tags: ['user_ada'], documents: 0, bytes: 0, searches: 1 },
  input: { q: 'Where does Ada live?', containerTags: ['user_ada'], limit: 5 },
  output: { results: [{ documentId: ID, content: 'Ada lives in Lyon.' }], total: 1 },
};

const row = (mode: 'meta' | 'full', more: Partial<Called> = {}, of = facts) =>
  requestRow({ ...call, ...more }, of, { at: 1, mode });

describe('the log of requests', () => {
  it('keeps names, ids and numbers, and of texts their length', () => {
    expect(inOutline(facts.input)).toEqual({ q: { chars: 20 }, containerTags: ['user_ada'], limit: 5 });
    expect(
      inOutline({
        ...{ id: ID, status: 'queued', title: 'A secret', customId: 'my own', metadata: { mood: 'secret' } },
        ...{ documents: [{ id: ID }, { id: ID }], tags: ['a b'], containerTag: 'two words', flag: true },
      }),
    ).toEqual({
      ...{ id: ID, status: 'queued', title: { chars: 8 }, customId: { chars: 6 }, metadata: { fields: 1 } },
      ...{
        documents: { count: 2, ids: [ID, ID] },
        tags: { count: 1 },
        containerTag: { chars: 9 },
        flag: true,
      },
    });
    expect(inOutline([{ name: 'x' }])).toEqual({ items: { count: 1 } });
    expect(inOutline('text')).toEqual({});
  });

  it('holds whole texts only where that was chosen, with the ids of what they belong to', () => {
    expect(JSON.stringify(row('meta'))).not.toMatch(/Lyon|live/);
    const full = row('full');
    expect(JSON.parse(full.output)).toEqual(facts.output);
    expect(full.units).toEqual([ID]);
  });

  it('holds no keys, no settings and nothing too long, whatever was chosen', () => {
    const secret = { ...facts, output: { key: 'sm_secret' } };
    expect(row('full', { operation: 'keys.createAgent' }, secret).output).not.toContain('sm_secret');
    const long = { ...facts, input: { q: 'x'.repeat(30_000) } };
    expect(row('full', {}, long).input).toBe('{"q":{"chars":30000}}');
  });

  it('knows every operation that it gives a kind', () => {
    const known = new Set([...operations, ...namespaceRows].map(({ name }) => name));
    expect(typedOperations.filter((name) => !known.has(name))).toEqual([]);
    expect(usageTypeOf('session.get')).toBe('request');
  });
});
