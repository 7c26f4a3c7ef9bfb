// Replaces what differs between two runs of the tour: ids, times, timings, secrets and addresses.

export type Placeholders = (value: unknown) => unknown;

/** Ids of documents and the like have 22 characters; those of clients 43. */
const ID = /(?<![\w-])(?:[A-Za-z0-9]{22}|[\w-]{43})(?![\w-])/g;
const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const SECRET = /sm_[A-Za-z0-9_-]{20,}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SIGNED = /(expires|signature)=[^&"]+/g;

/** Fields that measure how long something took, or how many bytes something takes on the disk. */
const MEASURED = new Set(['timing', 'retry-after-ms', 'retry-after']);

/** Times of a last use, which are written down some time after it: a slow run shows them where a quick one has none yet. */
const WRITTEN_LATER = new Set(['lastUsedAt', 'lastSeenAt']);

/** The first id that occurs is <id-1>, the second one <id-2>; secrets are counted alike. */
export const createPlaceholders = (base: string): Placeholders => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameFor = (kind: string) => (found: string) => {
    const known = names.get(found);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = `<${kind}-${count}>`;
    names.set(found, name);
    return name;
  };
  const today = new Date().toISOString().slice(0, 10);
  const inText = (text: string): string =>
    text
      .replaceAll(base, '<base>')
      .replace(SIGNED, (_all, name: string) => `${name}=<${name}>`)
      .replace(SECRET, nameFor('secret'))
      .replace(TIME, '<time>')
      .replace(HASH, '<hash>')
      .replace(UUID, '<uuid>')
      .replace(ID, nameFor('id'))
      .replaceAll(today, '<today>');

  const replaced = (value: unknown, field: string | null): unknown => {
    if (field !== null && MEASURED.has(field)) return '<number>';
    if (field !== null && WRITTEN_LATER.has(field)) return '<time>';
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map((one) => replaced(one, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [inText(name), replaced(inner, name)]),
    );
  };
  return (value) => replaced(value, null);
};

/** Fields that hold a sentence for people; a reworded sentence is no change of the contract. */
const SENTENCES = new Set(['error', 'details', 'message', 'note', 'reason']);

/** The same answer with the type of each sentence in place of its words. */
export const withoutWording = (value: unknown, field: string | null = null): unknown => {
  if (typeof value === 'string' && field !== null && SENTENCES.has(field)) return '<sentence>';
  if (Array.isArray(value)) return value.map((one) => withoutWording(one, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutWording(inner, name)]),
  );
};
