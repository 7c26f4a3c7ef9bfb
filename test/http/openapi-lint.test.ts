// Tests of the OpenAPI description with a linter, and for the needs of code generators.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../server/http/openapi/document.ts';
import { operations } from '../../tools/registry.generated.ts';

type Json = Record<string, unknown>;

const document = openApiDocument(operations, { version: '1.2.3', baseUrl: 'https://memory.example' });

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nodesOf = (node: unknown): Json[] => {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  return isObject(node) ? [node, ...Object.values(node).flatMap(nodesOf)] : [];
};

const described = Object.values(document.paths as Record<string, Record<string, Json>>).flatMap((methods) =>
  Object.values(methods),
);

test('a linter finds no error in the description', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // The published contract has such paths; routes without a parameter win, as its readers expect.
    rules: { 'no-ambiguous-paths': 'off' },
  });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  const told = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
  expect(told).toEqual([]);
});

describe('code generators can rely on the description', () => {
  test('because unions of plain types are anyOf, never a list of types', () => {
    expect(nodesOf(document).filter(({ type }) => Array.isArray(type))).toEqual([]);
  });

  test('because no answer forbids fields that a later server may add', () => {
    const schemas = (document.components as Json).schemas as Record<string, Json>;
    const strict = Object.entries(schemas)
      .filter(([name]) => !name.endsWith('Request'))
      .filter(([, schema]) => nodesOf(schema).some((node) => node.additionalProperties === false));
    expect(strict.map(([name]) => name)).toEqual([]);
  });

  test('because repeated schemas have a name', () => {
    expect((document.components as Json).schemas).toMatchObject({
      ...{ Document: {}, ListedDocument: {}, Pagination: {}, MemoryResult: {} },
    });
  });

  test('because every success and every body shows an example', () => {
    const shows = (content: unknown): boolean =>
      isObject(content) &&
      Object.values(content).every((one) => isObject(one) && ('example' in one || 'examples' in one));
    const silent = described.filter(({ requestBody, responses }) => {
      const answers = Object.entries(responses as Record<string, Json>).filter(
        ([status, { content }]) => status.startsWith('2') && content !== undefined,
      );
      const body = isObject(requestBody) ? shows(requestBody.content) : true;
      return !body || !answers.every(([, { content }]) => shows(content));
    });
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });
});
