// Converts the schemas of operations to JSON Schema, and collects the named parts.
import { z } from 'zod';
import { isObject } from '../../lib/objects.ts';
import { simplifySchema } from './simplify-schema.ts';

export type Json = Record<string, unknown>;
export type Side = 'input' | 'output';

export interface SchemaBook {
  /** The schemas named so far, as `#/components/schemas`. */
  readonly schemas: Json;
  /** Converts a schema; its named parts are moved to the book. */
  read(schema: z.ZodType, side: Side, name: string): Json;
  /** Stores a schema under a name and returns a reference to it. */
  put(name: string, schema: Json): Json;
  /** Returns the schema of a reference, if it is stored. */
  look(ref: string): Json | undefined;
}

const refTo = (name: string): string => `#/components/schemas/${name}`;

const convert = (schema: z.ZodType, side: Side): Json => {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' });
  return converted;
};

/**
 * Rewrites every reference with `move`; nested definitions are passed to `define` and removed.
 * Simplifies each part here, because zod adds some parts only after its own `override`.
 */
const rewriteReferences = (
  node: unknown,
  side: Side,
  move: (ref: string) => string,
  define: (name: string, schema: Json) => void,
): unknown => {
  if (Array.isArray(node)) return node.map((item) => rewriteReferences(item, side, move, define));
  if (!isObject(node)) return node;
  const { $defs, ...rest } = node;
  if (isObject($defs)) {
    for (const [name, schema] of Object.entries($defs)) if (isObject(schema)) define(name, schema);
  }
  const moved = Object.entries(rest).map(([key, value]) => [
    key,
    key === '$ref' && typeof value === 'string' ? move(value) : rewriteReferences(value, side, move, define),
  ]);
  return simplifySchema(Object.fromEntries(moved), side);
};

export const createSchemaBook = (): SchemaBook => {
  const schemas: Json = {};
  /** The side that first used a name: the input and the output schema of a name may differ. */
  const sides = new Map<string, Side>();

  function put(name: string, schema: Json): Json {
    const before = schemas[name];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the name ${name}. Give one of them another id.`);
    }
    schemas[name] = schema;
    return { $ref: refTo(name) };
  }

  /** Names an unnamed part after its owner; a name used on both sides gets a suffix on the second side. */
  function nameOf(part: string, side: Side, owner: string): string {
    if (part.startsWith('__schema')) return `${owner}Part${part.slice('__schema'.length)}`;
    const first = sides.get(part) ?? side;
    sides.set(part, first);
    if (first === side) return part;
    return side === 'output' ? `${part}Answer` : `${part}Given`;
  }

  function read(schema: z.ZodType, side: Side, owner: string): Json {
    const names = new Map<string, string>();
    const named = (part: string): string => {
      const name = names.get(part) ?? nameOf(part, side, owner);
      names.set(part, name);
      return name;
    };
    const move = (ref: string): string => {
      if (ref === '#') return refTo(owner);
      return ref.startsWith('#/$defs/') ? refTo(named(ref.slice('#/$defs/'.length))) : ref;
    };
    const define = (part: string, definition: Json): void => {
      const moved = rewriteReferences(definition, side, move, define);
      if (isObject(moved)) put(named(part), moved);
    };
    const moved = rewriteReferences(convert(schema, side), side, move, define);
    return isObject(moved) ? moved : {};
  }

  function look(ref: string): Json | undefined {
    const found = schemas[ref.slice(refTo('').length)];
    return isObject(found) ? found : undefined;
  }

  return { schemas, read, put, look };
};
