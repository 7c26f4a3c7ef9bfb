// Simplifies the JSON Schema that zod writes, for readers and generators.

type Json = Record<string, unknown>;

const isUnbounded = (bound: unknown): boolean =>
  typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

const isMoment = ({ format }: Json): boolean => format === 'date-time' || format === 'date';

/** True for keywords that readers do not need, or that forbid fields of later servers. */
const isNoise = (name: string, value: unknown, schema: Json, side: 'input' | 'output'): boolean => {
  if (name === 'propertyNames') return 'additionalProperties' in schema;
  if (name === 'additionalProperties') return side === 'output' && value === false;
  // The pattern of a time is 200 characters long and repeats `format`.
  if (name === 'pattern') return isMoment(schema);
  return (name === 'minimum' || name === 'maximum') && isUnbounded(value);
};

/** Replaces `type: ['string', 'null']` with `anyOf`: few generators understand a list of types. */
const spreadTypes = (schema: Json): Json => {
  const { type: types, description, default: preset, ...facets } = schema;
  if (!Array.isArray(types)) return schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    anyOf: types.map((type: unknown) => (type === 'null' ? { type } : { type, ...facets })),
  };
};

export const simplifySchema = (schema: Json, side: 'input' | 'output'): Json => {
  const kept = Object.entries(schema).filter(([name, value]) => !isNoise(name, value, schema, side));
  return spreadTypes(Object.fromEntries(kept));
};
