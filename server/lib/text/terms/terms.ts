// The terms of one chunk as a compact blob, which ranking reads instead of the text.
import { hash32 } from '../../hash.ts';

/** Each list as `analyse` returned it. */
export interface TermFields {
  readonly body: readonly string[];
  readonly title?: readonly string[];
  /** The date, written out. */
  readonly head?: readonly string[];
  readonly speaker?: readonly string[];
  /** The dates that relative dates in the body mean. */
  readonly relative?: readonly string[];
  /** Single characters of the body that are words inside longer runs. */
  readonly characters?: readonly string[];
  /** Stems of title and body in their language, if it is not English. */
  readonly stems?: readonly string[];
}

type TermField = keyof TermFields;

/** The index of a field is its number in stored blobs, so the order must not change. */
export const TERM_FIELDS = [
  'body',
  'title',
  'head',
  'speaker',
  'relative',
  'characters',
  'stems',
] as const satisfies readonly TermField[];

/** Four bytes of hash (little-endian), one of field, one of frequency. */
const ENTRY_BYTES = 6;
const MOST_OFTEN = 255;

/** The 32-bit hash of a term; two terms with the same hash are ranked as one. */
export const termHash = (term: string): number => hash32(term);

const countTermsIn = (terms: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

export const encodeTerms = (fields: TermFields): Uint8Array => {
  const counted = TERM_FIELDS.map((name) => countTermsIn(fields[name] ?? []));
  const blob = new Uint8Array(counted.reduce((sum, counts) => sum + counts.size, 0) * ENTRY_BYTES);
  let at = 0;
  for (const [field, counts] of counted.entries()) {
    for (const [term, count] of counts) {
      const hash = termHash(term);
      blob[at] = hash;
      blob[at + 1] = hash >>> 8;
      blob[at + 2] = hash >>> 16;
      blob[at + 3] = hash >>> 24;
      blob[at + 4] = field;
      blob[at + 5] = Math.min(count, MOST_OFTEN);
      at += ENTRY_BYTES;
    }
  }
  return blob;
};

/** The terms that are looked for in many blobs, for `heldTerms`. */
export interface WantedTerms {
  /** By hash; the first of two equal terms keeps its index. */
  readonly indexes: ReadonlyMap<number, number>;
  /** Two small masks reject nearly every unwanted entry before the lookup in the map, which costs ten times as much. */
  readonly firstByte: number;
  readonly thirdByte: number;
}

/** `forms`: other words that count as the term at the same index. */
export const wantedTerms = (
  terms: readonly string[],
  forms: readonly (readonly string[])[] = [],
): WantedTerms => {
  const indexes = new Map<number, number>();
  let firstByte = 0;
  let thirdByte = 0;
  const want = (form: string, index: number): void => {
    const hash = termHash(form);
    if (!indexes.has(hash)) indexes.set(hash, index);
    firstByte |= 1 << (hash & 31);
    thirdByte |= 1 << ((hash >>> 16) & 31);
  };
  for (const [index, term] of terms.entries()) want(term, index);
  for (const [index, others] of forms.entries()) for (const form of others) want(form, index);
  return { indexes, firstByte, thirdByte };
};

/** A wanted term that was found in a field. */
export interface HeldTerm {
  /** The index among the wanted terms. */
  term: number;
  field: number;
  frequency: number;
}

/** Every entry of the blob whose term is wanted. */
export const heldTerms = (blob: Uint8Array, { indexes, firstByte, thirdByte }: WantedTerms): HeldTerm[] => {
  if (blob.length % ENTRY_BYTES !== 0) {
    throw new Error(
      `A stored term list of ${blob.length} bytes is damaged: restore the data folder from a backup.`,
    );
  }
  const held: HeldTerm[] = [];
  for (let at = 0; at < blob.length; at += ENTRY_BYTES) {
    if (!((firstByte >>> (byte(blob, at) & 31)) & (thirdByte >>> (byte(blob, at + 2) & 31)) & 1)) continue;
    const term = indexes.get(u32(blob, at));
    if (term !== undefined) held.push({ term, field: byte(blob, at + 4), frequency: byte(blob, at + 5) });
  }
  return held;
};

const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

const u32 = (bytes: Uint8Array, at: number): number =>
  (byte(bytes, at) |
    (byte(bytes, at + 1) << 8) |
    (byte(bytes, at + 2) << 16) |
    (byte(bytes, at + 3) << 24)) >>>
  0;
