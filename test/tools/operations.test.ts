// Tests of the list of all operations and of their descriptions.
import { readdirSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../tools/operation.ts';
import { problems } from './judge.ts';

const root = new URL('../../tools/', import.meta.url);

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => file.includes('/') && file.endsWith('.ts') && !/^shared\/|\/schemas\/|\.agent\.ts$/.test(file),
  )
  .sort();

const operationIn = async (file: string): Promise<Operation> => {
  const exported = Object.values((await import(new URL(file, root).href)) as Record<string, Operation>);
  const [only] = exported;
  if (only === undefined || exported.length !== 1) throw new Error(`${file} must export one operation.`);
  return only;
};

const operations = await Promise.all(files.map(async (file) => [file, await operationIn(file)] as const));

type Shape = { [key: string]: unknown; properties?: Record<string, Shape>; $ref?: string };

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;

/** Every field below a schema, with its path. */
const fieldsOf = (shape: Shape, path = ''): [string, Shape][] => [
  ...Object.entries(shape.properties ?? {}).flatMap(([name, field]): [string, Shape][] => [
    [`${path}.${name}`, field],
    ...fieldsOf(field, `${path}.${name}`),
  ]),
  ...['items', 'anyOf', '$defs']
    .flatMap((key): unknown[] => {
      const inner = shape[key];
      if (key === '$defs' && isShape(inner)) return Object.values(inner);
      return Array.isArray(inner) ? inner : [inner];
    })
    .filter(isShape)
    .flatMap((inner) => fieldsOf(inner, path)),
];

describe('the operations', () => {
  test.each([
    'POST /v3/documents 200',
    'POST /v3/documents/batch 200',
    'GET /v3/documents/{id} 200',
    'PATCH /v3/documents/{id} 200',
    'DELETE /v3/documents/{id} 204',
    'DELETE /v3/documents/bulk 200',
    'POST /v3/documents/list 200',
    'GET /v3/documents 200',
    'GET /v3/documents/processing 200',
    'GET /v3/documents/{id}/chunks 200',
    'POST /v3/search 200',
    'POST /v4/search 200',
    'POST /v3/auth/scoped-key 200',
    'DELETE /v3/auth/scoped-key/{id} 200',
    'POST /v3/auth/agent-key 200',
    'GET /v3/auth/keys 200',
    'PUT /v3/auth/keys/{id}/toggle 200',
    'GET /v3/session 200',
  ])('include %s', (route) => {
    expect(operations.map(([, { rest }]) => `${rest.method} ${rest.path} ${rest.status}`)).toContain(route);
  });

  it('have unique names', () => {
    expect(new Set(operations.map(([, { name }]) => name)).size).toBe(operations.length);
  });
});

describe.each(operations)('the operation %s', (_file, operation) => {
  it('names the tags of a call, when tags bind it', () => {
    const bound = operation.reaches === 'tags' || operation.reaches === 'document';
    expect(operation.tags !== undefined).toBe(bound);
  });

  it('describes every field of its input and of its answer', () => {
    const shapes = [
      z.toJSONSchema(operation.input, { io: 'input' }),
      z.toJSONSchema(operation.output, { io: 'output' }),
    ];
    const silent = shapes
      .flatMap((shape) => fieldsOf(shape as Shape))
      .filter(([, field]) => typeof field.description !== 'string')
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it('takes every path parameter as a field', () => {
    const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input' }) as Shape;
    for (const [, name = ''] of operation.rest.path.matchAll(/\{(\w+)\}/g)) {
      expect(Object.keys(properties)).toContain(name);
    }
  });

  test.each((operation.examples ?? []).map((example) => [example.summary, example] as const))(
    'has a valid example "%s"',
    (_summary, example) => {
      expect(problems(operation.input, example.input)).toBe('');
      if (example.output !== undefined) expect(problems(operation.output, example.output)).toBe('');
    },
  );
});
