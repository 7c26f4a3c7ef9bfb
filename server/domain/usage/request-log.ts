// The log of requests: the names of fields, ids and numbers of each call, and its texts only where the settings say so.
import type { RequestRow } from '../../adapters/store/ports/usage/analytics.ts';
import type { Called, CallFacts } from '../../core/events.ts';
import { usageTypeOf } from './types.ts';

export type RequestLogMode = 'off' | 'meta' | 'full';

const ID = /^[A-Za-z0-9]{22}$/;
/** Fields that name what a call is about. */
const NAMES = new Set(['containerTag', 'containerTags', 'tags', 'namespace', 'sources', 'target']);
/** Fields that hold one of a few words. */
const WORDS = new Set([
  ...['searchMode', 'sort', 'order', 'status', 'permission', 'dreaming', 'taskType', 'include', 'by', 'type'],
  ...['period', 'groupBy', 'action', 'step'],
]);
const WORD = /^[a-zA-Z_0-9]{1,30}$/;
const TAG = /^[^\s]{1,100}$/;
const MOST_NAMED = 10;

type Described = Record<string, unknown>;

const isKeptName = (field: string, text: string): boolean =>
  ID.test(text) || (NAMES.has(field) && TAG.test(text)) || (WORDS.has(field) && WORD.test(text));

/** A loop, as below: this is on the way of every call. */
const idsIn = (items: readonly unknown[]): string[] => {
  const ids: string[] = [];
  for (let at = 0; at < items.length && at < MOST_NAMED; at++) {
    const item = items[at];
    const id = typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : item;
    if (typeof id === 'string' && ID.test(id)) ids.push(id);
  }
  return ids;
};

const describedList = (field: string, items: readonly unknown[]): unknown => {
  const isNamed = (item: unknown): boolean => typeof item === 'string' && isKeptName(field, item);
  if (items.length > 0 && items.every(isNamed)) return items.slice(0, MOST_NAMED);
  const ids = idsIn(items);
  return ids.length === 0 ? { count: items.length } : { count: items.length, ids };
};

/** Keeps the length of a text and the size of an object, and not what they hold; `field` decides which texts are names. */
const describedValue = (field: string, value: unknown): unknown => {
  if (typeof value === 'string') return isKeptName(field, value) ? value : { chars: value.length };
  if (Array.isArray(value)) return describedList(field, value);
  if (typeof value === 'object' && value !== null) return { fields: Object.keys(value).length };
  return value;
};

/** The part of an input or an answer that `meta` keeps: nothing that anybody wrote. */
export const inOutline = (value: unknown): Described => {
  const outline: Described = {};
  if (Array.isArray(value)) outline.items = describedList('', value);
  else if (typeof value === 'object' && value !== null)
    for (const field of Object.keys(value))
      outline[field] = describedValue(field, (value as Described)[field]);
  return outline;
};

// --- full --------------------------------------------------------------------------------------------

const MOST_CHARS = 20_000;
const MOST_UNITS = 500;

/** The ids of everything that an answer shows, so that its texts can be erased with what they belong to. */
const unitsIn = (value: unknown, found = new Set<string>()): Set<string> => {
  if (found.size > MOST_UNITS || typeof value !== 'object' || value === null) return found;
  for (const [field, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && /^(?:id|documentId|memoryId|\d+)$/.test(field) && ID.test(inner))
      found.add(inner);
    else unitsIn(inner, found);
  }
  return found;
};

/** Null: it is too long, or too much would have to be found when something is deleted. */
const keptWhole = ({ input, output }: CallFacts): Pick<RequestRow, 'input' | 'output' | 'units'> | null => {
  const units = [...unitsIn({ input, output })];
  const texts = { input: JSON.stringify(input ?? {}), output: JSON.stringify(output ?? {}) };
  const isTooLong = texts.input.length + texts.output.length > MOST_CHARS;
  return isTooLong || units.length > MOST_UNITS ? null : { ...texts, units };
};

const inBrief = (facts: CallFacts | undefined): Pick<RequestRow, 'input' | 'output' | 'units'> => ({
  input: JSON.stringify(inOutline(facts?.input)),
  output: JSON.stringify(inOutline(facts?.output)),
  units: [],
});

/** Keys and settings carry secrets, so only calls about content are ever kept whole. */
export const requestRow = (
  call: Called,
  facts: CallFacts | undefined,
  { at, mode }: { at: number; mode: RequestLogMode },
): RequestRow => {
  const { requestId: id, operation, way, keyId: key, status, ms } = call;
  const type = usageTypeOf(operation);
  const kept = mode === 'full' && type !== 'request' && facts !== undefined ? keptWhole(facts) : null;
  return { at, id, type, operation, way, key, status, ms, ...(kept ?? inBrief(facts)) };
};
