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

/** Numbers the terms of one text after another, in the order in which they first come. */
export interface TermNumbers {
  /** Another text begins: no term has a number. */
  clear(): void;
  /** `hash`: `hash32` of the term. */
  of(term: string, hash: number): number;
  /** By number: the hash of each term. */
  readonly hashes: readonly number[];
}

/** For the terms of a passage. */
const FEWEST_PLACES = 1_024;
const EMPTY = 0;

/** A map by strings takes twice the time, and grows anew for each text. */
export const createTermNumbers = (): TermNumbers => {
  const terms: string[] = [];
  const hashes: number[] = [];
  /** The number of a term, plus one, at the place that its hash says or behind it. */
  let places = new Int32Array(FEWEST_PLACES);

  const freePlace = (hash: number): number => {
    let place = hash & (places.length - 1);
    while (places[place] !== EMPTY) place = (place + 1) & (places.length - 1);
    return place;
  };

  const grow = (): void => {
    places = new Int32Array(places.length * 2);
    for (const [number, hash] of hashes.entries()) places[freePlace(hash)] = number + 1;
  };

  return {
    hashes,
    clear() {
      if (places.length === FEWEST_PLACES) places.fill(EMPTY);
      else places = new Int32Array(FEWEST_PLACES);
      terms.length = 0;
      hashes.length = 0;
    },
    of(term, hash) {
      let place = hash & (places.length - 1);
      for (;;) {
        const number = (places[place] as number) - 1;
        if (number < 0) break;
        if (hashes[number] === hash && terms[number] === term) return number;
        place = (place + 1) & (places.length - 1);
      }
      places[place] = terms.length + 1;
      terms.push(term);
      hashes.push(hash);
      if (terms.length * 2 > places.length) grow();
      return terms.length - 1;
    },
  };
};

const numbers = createTermNumbers();

const encodeField = (terms: readonly string[], field: number): Uint8Array => {
  numbers.clear();
  const blob = new Uint8Array(terms.length * ENTRY_BYTES);
  for (const term of terms) {
    const at = numbers.of(term, termHash(term)) * ENTRY_BYTES;
    const count = blob[at + 5] as number;
    if (count < MOST_OFTEN) blob[at + 5] = count + 1;
  }
  let at = 0;
  for (const hash of numbers.hashes) {
    blob[at] = hash;
    blob[at + 1] = hash >>> 8;
    blob[at + 2] = hash >>> 16;
    blob[at + 3] = hash >>> 24;
    blob[at + 4] = field;
    at += ENTRY_BYTES;
  }
  return blob.subarray(0, at);
};

export const encodeTerms = (fields: TermFields): Uint8Array => {
  const parts = TERM_FIELDS.flatMap((name, field) => {
    const terms = fields[name] ?? [];
    return terms.length === 0 ? [] : [encodeField(terms, field)];
  });
  const blob = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    blob.set(part, at);
    at += part.length;
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
