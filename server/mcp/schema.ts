// Schemas of tools as hosts read them: JSON Schema without what only takes tokens or trips a strict dialect.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Json = Record<string, unknown>;
export type Side = 'input' | 'output';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that is too long is refused with a sentence; the bounds of each would only cost every model tokens. */
const SILENT = new Set(['$schema', 'propertyNames', 'minLength', 'maxLength']);

/** Answers may grow: a client that forbids what it does not know would break then. */
const isTooMuch = (side: Side, key: string, value: unknown): boolean =>
  SILENT.has(key) ||
  (side === 'output' && key === 'additionalProperties' && value === false) ||
  // The bounds of every whole number that JavaScript can count.
  (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER);

/** Dialects that know one type at a time want a choice spelled out. */
const oneTypeEach = ({ type, ...rest }: Json): Json =>
  Array.isArray(type)
    ? { ...rest, anyOf: type.map((one) => ({ type: one })) }
    : { ...rest, ...(type === undefined ? {} : { type }) };

function trimmed(node: unknown, side: Side): unknown {
  if (Array.isArray(node)) return node.map((item) => trimmed(item, side));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(oneTypeEach(node))
      .filter(([key, value]) => !isTooMuch(side, key, value))
      .map(([key, value]) => [key, trimmed(value, side)]),
  );
}

export function jsonSchemaOf(schema: z.ZodObject, side: Side): Json {
  const json = trimmed(z.toJSONSchema(schema, { io: side }), side);
  return isObject(json) ? json : {};
}

/** What the protocol's library is given: it describes, and everything passes, for `tools.ts` judges in our words. */
export function describedBy(json: Json): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'memoir',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
