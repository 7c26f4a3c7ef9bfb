// The request side of an operation in OpenAPI: which fields are in the path, in the query, in the body.
import type { Operation } from '../../tools/contract.ts';
import { isObject, type Json } from './json-schema.ts';
import { exampleOf } from './openapi-example.ts';
import { fieldsOf } from './routes.ts';

const pathFields = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

const requiredOf = (schema: Json): string[] =>
  Array.isArray(schema.required) ? schema.required.map(String) : [];

const propertiesOf = (schema: Json): Json => (isObject(schema.properties) ? schema.properties : {});

const exampleInputs = ({ examples = [] }: Operation): { summary: string; input: Json }[] =>
  examples.flatMap(({ summary, input }) => (isObject(input) ? [{ summary, input }] : []));

const without = (fields: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

type Look = (ref: string) => Json | undefined;

function parameter(
  name: string,
  place: 'path' | 'query',
  input: Json,
  operation: Operation,
  look: Look,
): Json {
  const property = propertiesOf(input)[name];
  const { description, ...schema } = isObject(property) ? property : { type: 'string' };
  const given = exampleInputs(operation).find((one) => one.input[name] !== undefined)?.input[name];
  const example = given ?? exampleOf(schema, look, name);
  return {
    name,
    in: place,
    required: place === 'path' || requiredOf(input).includes(name),
    schema,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

export function parametersOf(operation: Operation, input: Json, look: Look): Json[] {
  const inPath = pathFields(operation.rest.path);
  const inQuery =
    fieldsOf(operation.rest) === 'query' ? Object.keys(without(propertiesOf(input), inPath)).sort() : [];
  return [
    ...inPath.map((name) => parameter(name, 'path', input, operation, look)),
    ...inQuery.map((name) => parameter(name, 'query', input, operation, look)),
  ];
}

interface Naming {
  /** Names the schema of the body and gives back a reference to it. */
  put(schema: Json): Json;
  look: Look;
}

export function bodyOf(operation: Operation, input: Json, { put, look }: Naming): Json | undefined {
  const place = fieldsOf(operation.rest);
  if (place === 'query') return undefined;
  const inPath = pathFields(operation.rest.path);
  const properties = without(propertiesOf(input), inPath);
  if (Object.keys(properties).length === 0) return undefined;
  const required = requiredOf(input).filter((name) => !inPath.includes(name));
  const { required: _all, ...rest } = input;
  const schema = put({ ...rest, properties, ...(required.length > 0 ? { required } : {}) });
  const examples = exampleInputs(operation).map(({ summary, input: given }) => [
    summary,
    { summary, value: without(given, inPath) },
  ]);
  return {
    required: required.length > 0,
    content: {
      [place === 'form' ? 'multipart/form-data' : 'application/json']: {
        schema,
        ...(examples.length > 0
          ? { examples: Object.fromEntries(examples) }
          : { example: exampleOf(schema, look) }),
      },
    },
  };
}
