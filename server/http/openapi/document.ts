// Builds the OpenAPI 3.1 document of the registry; the same registry always gives the same text.

import type { Operation } from '../../../tools/operation.ts';
import { isObject } from '../../lib/objects.ts';
import { errorSchema, failures, groups, securitySchemes } from './descriptions.ts';
import { exampleOf } from './example.ts';
import { createSchemaBook, type Json, type SchemaBook } from './json-schema.ts';
import { parametersOf, requestBodyOf } from './request.ts';

export interface OpenApiOptions {
  version: string;
  /** The public address; without one, paths are relative to where the document is served. */
  baseUrl?: string;
}

const EVERYWHERE = [401, 429, 500];

/** `documents.batchAdd` → `DocumentsBatchAdd` */
const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])(\w)/g, (_all, letter: string) => letter.toUpperCase());

const operationGroup = (name: string): string => name.split('.')[0] ?? name;

const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'integer' } };
const SHOULD_RETRY = {
  description: 'false: a retry cannot succeed.',
  schema: { type: 'string', enum: ['true', 'false'] },
};

const failureHeaders = (status: number): Json => {
  if (status === 429) return { 'Retry-After': RETRY_AFTER, 'x-should-retry': SHOULD_RETRY };
  return status === 409 || status === 501 ? { 'x-should-retry': SHOULD_RETRY } : {};
};

const failureStatuses = ({ rest, reaches, errors = [] }: Operation): number[] => {
  const may = [400, 403, ...(rest.method === 'GET' ? [] : [413]), ...(reaches === 'document' ? [404] : [])];
  return [...new Set([...EVERYWHERE, ...may, ...errors])];
};

const failureName = (status: number): string => failures[status]?.name ?? 'InternalError';

const failureReferences = (operation: Operation): Json =>
  Object.fromEntries(
    failureStatuses(operation).map((status) => [
      String(status),
      { $ref: `#/components/responses/${failureName(status)}` },
    ]),
  );

/** The error responses that at least one operation uses, each once. */
const failureResponses = (operations: readonly Operation[], book: SchemaBook): Json => {
  const schema = book.put('Error', errorSchema);
  const used = new Set(operations.flatMap(failureStatuses).map(failureName));
  const responses = Object.entries(failures)
    .filter(([, { name }]) => used.has(name))
    .map(([status, { name, description, error }]) => [
      name,
      {
        description,
        headers: failureHeaders(Number(status)),
        content: { 'application/json': { schema, example: { error } } },
      },
    ]);
  return Object.fromEntries(responses);
};

const shownOutputs = (operation: Operation, schema: Json, book: SchemaBook): Json => {
  const withOutput = (operation.examples ?? []).filter(({ output }) => output !== undefined);
  if (withOutput.length === 0) return { example: exampleOf(schema, book.look) };
  return {
    examples: Object.fromEntries(
      withOutput.map(({ summary, output }) => [summary, { summary, value: output }]),
    ),
  };
};

const successResponse = (operation: Operation, book: SchemaBook): Json => {
  const { status, text } = operation.rest;
  if (status === 204) return { '204': { description: 'Success, without a body.' } };
  const name = `${pascal(operation.name)}Response`;
  const schema = book.put(name, book.read(operation.output, 'output', name));
  const content = {
    [text === true ? 'text/plain' : 'application/json']: { schema, ...shownOutputs(operation, schema, book) },
  };
  return { [status]: { description: operation.summary, content } };
};

const describeOperation = (operation: Operation, book: SchemaBook): Json => {
  const name = `${pascal(operation.name)}Request`;
  const input = book.read(operation.input, 'input', name);
  const parameters = parametersOf(operation, input, book.look);
  const requestBody = requestBodyOf(operation, input, {
    put: (schema) => book.put(name, schema),
    look: book.look,
  });
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [operationGroup(operation.name)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...successResponse(operation, book), ...failureReferences(operation) },
  };
};

const withSortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withSortedKeys(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};

const byOperationName = (a: Operation, b: Operation): number => (a.name < b.name ? -1 : 1);

const documentTags = (operations: readonly Operation[]): Json[] =>
  [...new Set(operations.map(({ name }) => operationGroup(name)))].sort().map((name) => {
    const description = groups[name];
    return { name, ...(description === undefined ? {} : { description }) };
  });

export const openApiDocument = (
  operations: readonly Operation[],
  { version, baseUrl }: OpenApiOptions,
): Json => {
  const book = createSchemaBook();
  const responses = failureResponses(operations, book);
  const paths: Record<string, Json> = {};
  for (const operation of [...operations].sort(byOperationName)) {
    const { path, method } = operation.rest;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, book) };
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
    tags: documentTags(operations),
    paths,
    components: { schemas: book.schemas, responses, securitySchemes },
  };
  return withSortedKeys(document) as Json;
};
