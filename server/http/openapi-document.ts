// OpenAPI 3.1 of the registry: the same text for the same registry, whenever and wherever it is made.
import type { Operation } from '../../tools/contract.ts';
import { createSchemaBook, isObject, type Json, type SchemaBook } from './json-schema.ts';
import { exampleOf } from './openapi-example.ts';
import { bodyOf, parametersOf } from './openapi-request.ts';
import { errorSchema, failures, groups, securitySchemes } from './openapi-words.ts';

export interface OpenApiOptions {
  version: string;
  /** The public address; without one, paths are relative to where the document is served. */
  baseUrl?: string;
}

const EVERYWHERE = [401, 429, 500];

/** `documents.batchAdd` → `DocumentsBatchAdd` */
const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])(\w)/g, (_all, letter: string) => letter.toUpperCase());

const groupOf = (name: string): string => name.split('.')[0] ?? name;

const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'integer' } };
const SHOULD_RETRY = {
  description: 'false: asking again is in vain.',
  schema: { type: 'string', enum: ['true', 'false'] },
};

const headersOf = (status: number): Json => {
  if (status === 429) return { 'Retry-After': RETRY_AFTER, 'x-should-retry': SHOULD_RETRY };
  return status === 409 || status === 501 ? { 'x-should-retry': SHOULD_RETRY } : {};
};

function failuresOf({ rest, reaches, errors = [] }: Operation): number[] {
  const may = [400, 403, ...(rest.method === 'GET' ? [] : [413]), ...(reaches === 'document' ? [404] : [])];
  return [...new Set([...EVERYWHERE, ...may, ...errors])];
}

const failureName = (status: number): string => failures[status]?.name ?? 'InternalError';

const refused = (operation: Operation): Json =>
  Object.fromEntries(
    failuresOf(operation).map((status) => [
      String(status),
      { $ref: `#/components/responses/${failureName(status)}` },
    ]),
  );

/** Those that some operation may answer with, each once. */
function failureResponses(operations: readonly Operation[], book: SchemaBook): Json {
  const schema = book.put('Error', errorSchema);
  const used = new Set(operations.flatMap(failuresOf).map(failureName));
  const responses = Object.entries(failures)
    .filter(([, { name }]) => used.has(name))
    .map(([status, { name, description, error }]) => [
      name,
      {
        description,
        headers: headersOf(Number(status)),
        content: { 'application/json': { schema, example: { error } } },
      },
    ]);
  return Object.fromEntries(responses);
}

function shownOutputs(operation: Operation, schema: Json, book: SchemaBook): Json {
  const given = (operation.examples ?? []).filter(({ output }) => output !== undefined);
  if (given.length === 0) return { example: exampleOf(schema, book.look) };
  return {
    examples: Object.fromEntries(given.map(({ summary, output }) => [summary, { summary, value: output }])),
  };
}

function success(operation: Operation, book: SchemaBook): Json {
  const { status, text } = operation.rest;
  if (status === 204) return { '204': { description: 'Done; there is nothing to say.' } };
  const name = `${pascal(operation.name)}Response`;
  const schema = book.put(name, book.read(operation.output, 'output', name));
  const content = {
    [text === true ? 'text/plain' : 'application/json']: { schema, ...shownOutputs(operation, schema, book) },
  };
  return { [status]: { description: operation.summary, content } };
}

function describe(operation: Operation, book: SchemaBook): Json {
  const name = `${pascal(operation.name)}Request`;
  const input = book.read(operation.input, 'input', name);
  const parameters = parametersOf(operation, input, book.look);
  const requestBody = bodyOf(operation, input, { put: (schema) => book.put(name, schema), look: book.look });
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [groupOf(operation.name)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...success(operation, book), ...refused(operation) },
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const byName = (a: Operation, b: Operation): number => (a.name < b.name ? -1 : 1);

const tagsOf = (operations: readonly Operation[]): Json[] =>
  [...new Set(operations.map(({ name }) => groupOf(name)))].sort().map((name) => {
    const description = groups[name];
    return { name, ...(description === undefined ? {} : { description }) };
  });

export function openApiDocument(
  operations: readonly Operation[],
  { version, baseUrl }: OpenApiOptions,
): Json {
  const book = createSchemaBook();
  const responses = failureResponses(operations, book);
  const paths: Record<string, Json> = {};
  for (const operation of [...operations].sort(byName)) {
    const { path, method } = operation.rest;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation, book) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Memoir',
      version,
      description:
        'The content memory service for AI agents: add anything, search it, keep it on your own machine.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl === undefined || baseUrl === '' ? '/' : baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf(operations),
    paths,
    components: { schemas: book.schemas, responses, securitySchemes },
  };
  return sorted(document) as Json;
}
