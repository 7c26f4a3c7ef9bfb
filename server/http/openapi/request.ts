// The request of an operation in OpenAPI: fields in the path, in the query and in the body.

import type { Operation } from '../../../tools/operation.ts';
import { isObject } from '../../lib/objects.ts';
import { fieldsPlace } from '../routes.ts';
import { exampleOf } from './example.ts';
import type { Json } from './json-schema.ts';

const pathFields = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

const requiredOf = (schema: Json): string[] =>
  Array.isArray(schema.required) ? schema.required.map(String) : [];

const propertiesOf = (schema: Json): Json => (isObject(schema.properties) ? schema.properties : {});

const exampleInputs = ({ examples = [] }: Operation): { summary: string; input: Json }[] =>
  examples.flatMap(({ summary, input }) => (isObject(input) ? [{ summary, input }] : []));

const omitFields = (fields: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

type Look = (ref: string) => Json | undefined;

interface InputContext {
  readonly operation: Operation;
  /** The JSON Schema of the operation's input. */
  readonly input: Json;
  readonly look: Look;
}

const describeParameter = (
  { operation, input, look }: InputContext,
  name: string,
  place: 'path' | 'query',
): Json => {
  const property = propertiesOf(input)[name];
  const { description, ...schema } = isObject(property) ? property : { type: 'string' };
  const ownExample = exampleInputs(operation).find((one) => one.input[name] !== undefined)?.input[name];
  const example = ownExample ?? exampleOf(schema, look, name);
  return {
    name,
    in: place,
    required: place === 'path' || requiredOf(input).includes(name),
    schema,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
};

export const parametersOf = (operation: Operation, input: Json, look: Look): Json[] => {
  const inPath = pathFields(operation.rest.path);
  const inQuery =
    fieldsPlace(operation.rest) === 'query'
      ? Object.keys(omitFields(propertiesOf(input), inPath)).sort()
      : [];
  return [
    ...inPath.map((name) => describeParameter({ operation, input, look }, name, 'path')),
    ...inQuery.map((name) => describeParameter({ operation, input, look }, name, 'query')),
  ];
};

interface Naming {
  /** Stores the schema of the body and returns a reference to it. */
  put(schema: Json): Json;
  look: Look;
}

export const requestBodyOf = (operation: Operation, input: Json, { put, look }: Naming): Json | undefined => {
  const place = fieldsPlace(operation.rest);
  if (place === 'query') return undefined;
  const inPath = pathFields(operation.rest.path);
  const properties = omitFields(propertiesOf(input), inPath);
  if (Object.keys(properties).length === 0) return undefined;
  const required = requiredOf(input).filter((name) => !inPath.includes(name));
  const { required: _all, ...rest } = input;
  const schema = put({ ...rest, properties, ...(required.length > 0 ? { required } : {}) });
  const examples = exampleInputs(operation).map(({ summary, input: value }) => [
    summary,
    { summary, value: omitFields(value, inPath) },
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
};
