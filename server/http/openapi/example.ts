// Builds an example for a schema without one: valid, and always the same for the same schema.
import { isObject } from '../../lib/objects.ts';
import type { Json } from './json-schema.ts';

type Look = (ref: string) => Json | undefined;

/** An example value for each field name; all examples fit together. */
const story: Readonly<Record<string, string>> = {
  id: '8Zk3vQm1TfYc7RnWdP2xLs',
  customId: 'notes-2026-01-31',
  containerTag: 'user_ada',
  containerTags: 'user_ada',
  content: 'Ada prefers tea, and meetings before noon.',
  memory: 'Ada prefers tea.',
  title: 'Notes about Ada',
  name: 'Ada',
  email: 'ada@example.org',
  url: 'https://example.org/notes',
  filepath: '/notes/ada.md',
  type: 'text',
  key: 'kind',
  value: 'preference',
  query: 'What does Ada drink?',
  mimeType: 'text/markdown',
  fileName: 'ada.md',
  message: 'The problem, and what you can do.',
  code: 'unsupported_type',
  unit: 'pages',
  provider: 'notion',
};

/** Optional fields that examples show anyway, because an example without them is not helpful. */
const alwaysShown = new Set(['memory']);

/** The preferred value of an enum of states. */
const LAST = 'done';

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  binary: '(the bytes of the file)',
};

const clampToBounds = (value: number, { minimum, maximum }: Json): number =>
  Math.min(
    Math.max(value, typeof minimum === 'number' ? minimum : value),
    typeof maximum === 'number' ? maximum : value,
  );

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/** True for a format whose examples are known; one of several such forms is shown. */
const hasKnownFormat = (schema: unknown): boolean =>
  isObject(schema) && typeof schema.format === 'string' && schema.format in byFormat;

const objectExample = (schema: Json, look: Look, seen: readonly string[]): Json => {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const shown = Object.entries(properties).filter(([name]) => required.has(name) || alwaysShown.has(name));
  return Object.fromEntries(
    shown.flatMap(([name, property]) => {
      const value = isObject(property) ? exampleOf(property, look, name, seen) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/** Returns undefined for a schema that contains itself without an end. */
export const exampleOf = (schema: Json, look: Look, name = '', seen: readonly string[] = []): unknown => {
  const { $ref: ref, anyOf, items, default: preset, const: only, enum: words } = schema;
  if (typeof ref === 'string') {
    const target = seen.includes(ref) ? undefined : look(ref);
    return target === undefined ? undefined : exampleOf(target, look, name, [...seen, ref]);
  }
  if (preset !== undefined) return preset;
  if (only !== undefined) return only;
  if (Array.isArray(words)) return words.includes(LAST) ? LAST : words[0];
  if (Array.isArray(anyOf)) {
    // A nullable value is null, unless there is an example value for its name.
    if (anyOf.some(isNull) && !(name in story)) return null;
    const choice = anyOf.find(hasKnownFormat) ?? anyOf.find((one) => !isNull(one));
    return isObject(choice) ? exampleOf(choice, look, name, seen) : null;
  }
  if (schema.type === 'array') {
    const item = isObject(items) ? exampleOf(items, look, name, seen) : undefined;
    return item === undefined ? [] : [item];
  }
  if (schema.type === 'object') return objectExample(schema, look, seen);
  return scalarExample(schema, name);
};

const scalarExample = (schema: Json, name: string): unknown => {
  switch (schema.type) {
    case 'string':
      return byFormat[String(schema.format)] ?? story[name] ?? (/id$/i.test(name) ? story.id : 'text');
    case 'integer':
    case 'number':
      return clampToBounds(schema.type === 'number' ? 0.9 : 1, schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
};
