// Schemas of operations as JSON Schema, with everything that has a name gathered in one place.
import { z } from 'zod';
import { tidySchema } from './json-schema-tidy.ts';

export type Json = Record<string, unknown>;
export type Side = 'input' | 'output';

export interface SchemaBook {
  /** What has been named so far, as `#/components/schemas`. */
  readonly schemas: Json;
  /** The schema itself, its named parts moved to the book. */
  read(schema: z.ZodType, side: Side, name: string): Json;
  /** Puts a schema under a name and refers to it. */
  put(name: string, schema: Json): Json;
  /** What a reference leads to, as far as it is named yet. */
  look(ref: string): Json | undefined;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refTo = (name: string): string => `#/components/schemas/${name}`;

const convert = (schema: z.ZodType, side: Side): Json => {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' });
  return converted;
};

/**
 * Every reference, moved by `move`; definitions nested in the schema are handed to `define` and taken out.
 * Each part is made plain on the way: zod joins some of them only after its own `override`.
 */
function rewrite(
  node: unknown,
  side: Side,
  move: (ref: string) => string,
  define: (name: string, schema: Json) => void,
): unknown {
  if (Array.isArray(node)) return node.map((item) => rewrite(item, side, move, define));
  if (!isObject(node)) return node;
  const { $defs, ...rest } = node;
  if (isObject($defs)) {
    for (const [name, schema] of Object.entries($defs)) if (isObject(schema)) define(name, schema);
  }
  const moved = Object.entries(rest).map(([key, value]) => [
    key,
    key === '$ref' && typeof value === 'string' ? move(value) : rewrite(value, side, move, define),
  ]);
  return tidySchema(Object.fromEntries(moved), side);
}

export function createSchemaBook(): SchemaBook {
  const schemas: Json = {};
  /** For which side a name was first taken: what is sent and what comes back may differ. */
  const sides = new Map<string, Side>();

  function put(name: string, schema: Json): Json {
    const before = schemas[name];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${name}. Give one of them another id.`);
    }
    schemas[name] = schema;
    return { $ref: refTo(name) };
  }

  /** Parts without a name of their own are called after the schema they are in; answers apart from requests. */
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
      const moved = rewrite(definition, side, move, define);
      if (isObject(moved)) put(named(part), moved);
    };
    const moved = rewrite(convert(schema, side), side, move, define);
    return isObject(moved) ? moved : {};
  }

  function look(ref: string): Json | undefined {
    const found = schemas[ref.slice(refTo('').length)];
    return isObject(found) ? found : undefined;
  }

  return { schemas, read, put, look };
}
