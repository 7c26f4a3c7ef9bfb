// Tests of writing the OpenAPI description.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../../server/http/openapi/document.ts';
import { createSchemaBook } from '../../../server/http/openapi/json-schema.ts';
import { type Operation, operation } from '../../../tools/operation.ts';
import { operations } from '../../../tools/registry.generated.ts';
import { verifies } from '../../spec/verifies.ts';
import { startApi } from '../../support/api.ts';
import { notes } from '../../support/notes.ts';

type Json = Record<string, unknown>;

const at = (document: unknown, ...path: string[]): Json =>
  path.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], document) as Json;

const refsOf = (node: unknown): string[] => {
  if (Array.isArray(node)) return node.flatMap(refsOf);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : refsOf(value)));
};

const resolves = (document: Json, ref: string): boolean =>
  at(document, ...ref.replace(/^#\//, '').split('/')) !== undefined;

const document = openApiDocument(operations, { version: '1.2.3' });

describe('the description of the registry', () => {
  verifies(
    'describe:openapi:documents',
    'is OpenAPI 3.1 with every operation, at both addresses',
    async () => {
      await using api = await startApi({ operations });
      for (const path of ['/v3/openapi', '/v4/openapi']) {
        const served = (await (await fetch(api.url + path)).json()) as Json;
        expect(served.openapi).toBe('3.1.0');
        for (const { name, rest } of operations)
          expect(at(served, 'paths', rest.path, rest.method.toLowerCase()).operationId).toBe(name);
      }
    },
  );

  test('refers only to schemas that it contains', () => {
    const refs = refsOf(document);
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter((ref) => !resolves(document, ref))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  test('names each path parameter, and no parameter that does not exist', () => {
    for (const { rest } of operations) {
      const parameters = (at(document, 'paths', rest.path, rest.method.toLowerCase()).parameters ??
        []) as Json[];
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath).toEqual([...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  test('describes every operation, and states that it may refuse a key', () => {
    for (const { rest } of operations) {
      const described = at(document, 'paths', rest.path, rest.method.toLowerCase());
      expect(String(described.summary).length).toBeGreaterThan(5);
      for (const status of [String(rest.status), '401', '429', '500'])
        expect(described.responses).toHaveProperty(status);
    }
  });

  test('is the same text for the same registry, in any order of its operations', () => {
    const again = openApiDocument([...operations].reverse(), { version: '1.2.3' });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
    const keys = Object.keys(at(document, 'components', 'schemas'));
    expect(keys).toEqual([...keys].sort());
    expect(JSON.stringify(document)).not.toContain(new Date().toISOString().slice(0, 10));
  });

  test('names both ways to send a key, and the public address when it is known', () => {
    expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
    expect(at(document, 'components', 'securitySchemes', 'apiKey')).toMatchObject({
      in: 'header',
      name: 'x-api-key',
    });
    expect(document.servers).toEqual([{ url: '/' }]);
    const published = openApiDocument([], { version: '1', baseUrl: 'https://memory.example' });
    expect(published.servers).toEqual([{ url: 'https://memory.example' }]);
  });
});

describe('the description of an operation', () => {
  const of = (...some: Operation[]) => openApiDocument(some, { version: '1' });
  const noted = of(...notes);

  test('puts path, query and body each in its place', () => {
    expect(at(noted, 'paths', '/v3/notes/{id}', 'get').parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
      { name: 'tags', in: 'query', required: false },
      { name: 'text', in: 'query', required: false },
    ]);
    expect(at(noted, 'paths', '/v3/notes/{id}', 'get')).not.toHaveProperty('requestBody');
    expect(at(noted, 'paths', '/v3/notes/{id}', 'delete')).not.toHaveProperty('requestBody');
    expect(at(noted, 'paths', '/v3/notes', 'post', 'requestBody')).toMatchObject({
      required: true,
      content: {
        'application/json': { examples: { 'A note': { value: { text: 'Buy milk', tags: ['home'] } } } },
      },
    });
  });

  test('has no body for 204', () => {
    expect(at(noted, 'paths', '/v3/notes/{id}', 'delete', 'responses', '204')).not.toHaveProperty('content');
  });

  test('lets answers grow, and keeps requests as strict as they are', () => {
    const strict = operation({
      name: 'x.strict',
      summary: 'Be strict',
      rest: { method: 'POST', path: '/x', status: 200 },
      permission: 'read',
      reaches: 'self',
      input: z.strictObject({ a: z.string() }),
      output: z.object({ inner: z.object({ b: z.string() }) }),
      run: async () => ({ inner: { b: '' } }),
    });
    const schemas = at(of(strict), 'components', 'schemas');
    expect(schemas.XStrictRequest).toMatchObject({ additionalProperties: false });
    expect(JSON.stringify(schemas.XStrictResponse)).not.toContain('additionalProperties');
  });

  test('collects schemas that refer to themselves', () => {
    const tree = z.object({
      get kids() {
        return z.array(tree).optional();
      },
    });
    const grow = operation({
      name: 'x.grow',
      summary: 'Grow a tree',
      rest: { method: 'POST', path: '/x', status: 200 },
      permission: 'read',
      reaches: 'self',
      input: z.object({ root: tree }),
      output: tree,
      run: async () => ({}),
    });
    const described = of(grow);
    expect(refsOf(described).filter((ref) => !resolves(described, ref))).toEqual([]);
    expect(at(described, 'components', 'schemas')).toHaveProperty('XGrowRequestPart0');
  });

  test('refuses two different schemas of one name', () => {
    const book = createSchemaBook();
    book.put('Thing', { type: 'string' });
    expect(book.put('Thing', { type: 'string' })).toEqual({ $ref: '#/components/schemas/Thing' });
    expect(() => book.put('Thing', { type: 'number' })).toThrow('Two different schemas have the name Thing');
  });
});
