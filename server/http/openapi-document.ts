// OpenAPI 3.1 of the registry: the same text for the same registry, whenever and wherever it is made.
import type { Operation } from '../../tools/contract.ts';
import { createSchemaBook, isObject, type Json, type SchemaBook } from './json-schema.ts';
import { bodyOf, parametersOf } from './openapi-request.ts';

export interface OpenApiOptions {
  version: string;
  /** The public address; without one, paths are relative to where the document is served. */
  baseUrl?: string;
}

const FAILURES: Readonly<Record<number, { name: string; description: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'Something in the request is missing or not valid; every bad field is named.',
  },
  401: { name: 'Unauthorized', description: 'The key is missing, wrong, expired or disabled.' },
  403: { name: 'Forbidden', description: 'The key may not do this, or not with these container tags.' },
  404: { name: 'NotFound', description: 'There is no such thing, or the key may not see it.' },
  409: { name: 'Conflict', description: 'The request does not fit the present state.' },
  413: { name: 'TooLarge', description: 'The body is larger than 50 MiB.' },
  429: { name: 'TooManyRequests', description: 'Too many requests; wait as long as Retry-After says.' },
  500: { name: 'InternalError', description: 'Something failed on the server; details hold the request id.' },
  501: { name: 'NotImplemented', description: 'This server cannot do that.' },
  503: { name: 'Unavailable', description: 'A part that is needed does not answer at the moment.' },
};

const EVERYWHERE = [401, 429, 500];

const ERROR_SCHEMA: Json = {
  type: 'object',
  description: 'How every failure is answered.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What happened and what to do next.' },
    details: { type: 'string', description: 'More about it, when there is more.' },
  },
};

/** `documents.batchAdd` → `DocumentsBatchAdd` */
const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])(\w)/g, (_all, letter: string) => letter.toUpperCase());

const groupOf = (name: string): string => name.split('.')[0] ?? name;

const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'integer' } };

function failureResponses(book: SchemaBook): Json {
  const schema = book.put('Error', ERROR_SCHEMA);
  const responses = Object.entries(FAILURES).map(([status, { name, description }]) => [
    name,
    {
      description,
      content: { 'application/json': { schema } },
      ...(status === '429' ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    },
  ]);
  return Object.fromEntries(responses);
}

function failuresOf({ rest, reaches, errors = [] }: Operation): Json {
  const may = [400, 403, ...(rest.method === 'GET' ? [] : [413]), ...(reaches === 'document' ? [404] : [])];
  const statuses = [...new Set([...EVERYWHERE, ...may, ...errors])];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${FAILURES[status]?.name ?? 'InternalError'}` },
    ]),
  );
}

function examplesOf(operation: Operation): Json | undefined {
  const shown = (operation.examples ?? []).filter(({ output }) => output !== undefined);
  if (shown.length === 0) return undefined;
  return Object.fromEntries(shown.map(({ summary, output }) => [summary, { summary, value: output }]));
}

function success(operation: Operation, book: SchemaBook): Json {
  const { status } = operation.rest;
  if (status === 204) return { '204': { description: 'Done; there is nothing to say.' } };
  const name = `${pascal(operation.name)}Response`;
  const schema = book.put(name, book.read(operation.output, 'output', name));
  const examples = examplesOf(operation);
  const content = { 'application/json': { schema, ...(examples === undefined ? {} : { examples }) } };
  return { [status]: { description: operation.summary, content } };
}

function describe(operation: Operation, book: SchemaBook): Json {
  const name = `${pascal(operation.name)}Request`;
  const input = book.read(operation.input, 'input', name);
  const parameters = parametersOf(operation, input);
  const requestBody = bodyOf(operation, input, (schema) => book.put(name, schema));
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [groupOf(operation.name)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...success(operation, book), ...failuresOf(operation) },
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const byName = (a: Operation, b: Operation): number => (a.name < b.name ? -1 : 1);

export function openApiDocument(
  operations: readonly Operation[],
  { version, baseUrl }: OpenApiOptions,
): Json {
  const book = createSchemaBook();
  const responses = failureResponses(book);
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
    tags: [...new Set(operations.map(({ name }) => groupOf(name)))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: book.schemas,
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer sm_…' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same key in a header of its own.',
        },
      },
    },
  };
  return sorted(document) as Json;
}
