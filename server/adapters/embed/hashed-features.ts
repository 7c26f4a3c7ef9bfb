// The places of a text's terms in a hashed vector, with a bounded cache.
import { hash32 } from '../../lib/hash.ts';
import { isUnspaced } from '../../lib/text/language/scripts.ts';
import { type Meaning, meaningOfRoot } from '../../lib/text/meanings/word-meanings.ts';
import { analyse } from '../../lib/text/terms/analyse.ts';
import { rootOf } from '../../lib/text/terms/derivations.ts';

/** The vector depends on these values: with another value, the model must get another name. */
const GROUP_WEIGHT = 0.35;
const GROUP_SIZES = [3, 4, 5];
const NO_GROUPS = new Uint16Array();

const CACHED_TERMS = 32_768;
const CACHED_CHARACTERS = 2_000_000;

/** A term's places in a vector: a place is the dimension doubled, and odd when its sign is negative. */
export interface Feature {
  readonly word: number;
  readonly groups: Uint16Array;
  readonly groupWeight: number;
  readonly meaning: Meaning | undefined;
  /** Scratch: the weighted count of the term in the passage that is being summed. Zero between passages. */
  mass: number;
}

export interface Features {
  of(term: string): Feature;
  /** The features of a text's terms, repeats kept. Cached, because a turn is in the context of six others. */
  ofText(text: string, terms?: readonly string[]): readonly Feature[];
  /** Empties a full cache. Only between passages: a term must keep one feature while a passage is summed. */
  trim(): void;
}

const signedPlace = (hash: number, dimensions: number): number => (hash % dimensions) * 2 + (hash >>> 31);

/** The places of every group of 3 to 5 letters, the word's ends marked: "^cat$" holds "^ca", "cat", "at$", "^cat", … */
const groupPlaces = (term: string, dimensions: number): Uint16Array => {
  const framed = `^${term}$`;
  const places: number[] = [];
  for (const size of GROUP_SIZES) {
    for (let at = 0; at + size <= framed.length; at++) {
      places.push(signedPlace(hash32(framed, at, at + size), dimensions));
    }
  }
  return Uint16Array.from(places);
};

const createFeature = (term: string, dimensions: number): Feature => {
  const groups = isUnspaced(term) ? NO_GROUPS : groupPlaces(term, dimensions);
  return {
    word: signedPlace(hash32(`w:${term}`), dimensions),
    groups,
    groupWeight: groups.length > 0 ? GROUP_WEIGHT / Math.sqrt(groups.length) : 0,
    meaning: meaningOfRoot(rootOf(term)),
    mass: 0,
  };
};

export const createFeatures = (dimensions: number): Features => {
  const byTerm = new Map<string, Feature>();
  const byText = new Map<string, readonly Feature[]>();
  let characters = 0;

  function of(term: string): Feature {
    const known = byTerm.get(term);
    if (known) return known;
    const feature = createFeature(term, dimensions);
    byTerm.set(term, feature);
    return feature;
  }

  function ofText(text: string, terms?: readonly string[]): readonly Feature[] {
    const known = byText.get(text);
    if (known) return known;
    const features = (terms ?? analyse(text)).map(of);
    byText.set(text, features);
    characters += text.length;
    return features;
  }

  function trim(): void {
    const full = byTerm.size > CACHED_TERMS;
    if (full) byTerm.clear();
    if (full || characters > CACHED_CHARACTERS) {
      byText.clear();
      characters = 0;
    }
  }

  return { of, ofText, trim };
};
