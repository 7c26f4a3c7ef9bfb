// What zod writes into JSON Schema, made plain for those who read it or generate from it.

type Json = Record<string, unknown>;

const isBeyondWords = (bound: unknown): boolean =>
  typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

const isMoment = ({ format }: Json): boolean => format === 'date-time' || format === 'date';

/** Says nothing that a reader needs, or forbids what answers of later servers may hold. */
function isNoise(name: string, value: unknown, schema: Json, side: 'input' | 'output'): boolean {
  if (name === 'propertyNames') return 'additionalProperties' in schema;
  if (name === 'additionalProperties') return side === 'output' && value === false;
  // The pattern of a time is two hundred characters long and says what `format` says.
  if (name === 'pattern') return isMoment(schema);
  return (name === 'minimum' || name === 'maximum') && isBeyondWords(value);
}

/** `type: ['string', 'null']` is understood by few generators; `anyOf` by all. */
function spreadTypes(schema: Json): Json {
  const { type: types, description, default: preset, ...facets } = schema;
  if (!Array.isArray(types)) return schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    anyOf: types.map((type: unknown) => (type === 'null' ? { type } : { type, ...facets })),
  };
}

export function tidySchema(schema: Json, side: 'input' | 'output'): Json {
  const kept = Object.entries(schema).filter(([name, value]) => !isNoise(name, value, schema, side));
  return spreadTypes(Object.fromEntries(kept));
}
