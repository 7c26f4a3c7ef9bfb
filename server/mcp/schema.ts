// JSON Schemas of tools, without keywords that only cost tokens or that strict hosts reject.

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isObject } from '../lib/objects.ts';

type Json = Record<string, unknown>;
export type SchemaSide = 'input' | 'output';

/** Keywords that cost tokens without helping a model; a too long text gets an error sentence anyway. */
const SILENT = new Set(['$schema', 'propertyNames', 'minLength', 'maxLength']);

/** Answers may get more fields later, so outputs never forbid additional properties. They tell no model which fields it always gets. */
const isTooMuch = (side: SchemaSide, key: string, value: unknown): boolean =>
  SILENT.has(key) ||
  (side === 'output' && key === 'additionalProperties' && value === false) ||
  (side === 'output' && key === 'required' && Array.isArray(value)) ||
  // zod writes these bounds for every whole number.
  (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER);

/** Replaces a list of types with `anyOf`, for hosts that accept only one type. */
const oneTypeEach = ({ type, ...rest }: Json): Json =>
  Array.isArray(type)
    ? { ...rest, anyOf: type.map((one) => ({ type: one })) }
    : { ...rest, ...(type === undefined ? {} : { type }) };

const trimSchema = (node: unknown, side: SchemaSide): unknown => {
  if (Array.isArray(node)) return node.map((item) => trimSchema(item, side));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(oneTypeEach(node))
      .filter(([key, value]) => !isTooMuch(side, key, value))
      .map(([key, value]) => [key, trimSchema(value, side)]),
  );
};

export const jsonSchemaOf = (schema: z.ZodObject, side: SchemaSide): Json => {
  const json = trimSchema(z.toJSONSchema(schema, { io: side }), side);
  return isObject(json) ? json : {};
};

/** A schema for the MCP library that accepts every value: `tools.ts` validates with Memoir's own messages. */
export const describedBy = (json: Json): StandardSchemaWithJSON => {
  return {
    '~standard': {
      version: 1,
      vendor: 'memoir',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
};
