// Where the terms of a text fall in a hashed vector, remembered between passages within bounds.
import { hash32 } from '../../lib/hash.ts';
import { analyse } from '../../lib/text/analyse.ts';
import { isUnspaced } from '../../lib/text/scripts.ts';

/** The vector depends on these: another value is another model. */
const GROUP_WEIGHT = 0.35;
const GROUP_SIZES = [3, 4, 5];
const NO_GROUPS = new Uint16Array();

const REMEMBERED_TERMS = 32_768;
const REMEMBERED_CHARACTERS = 2_000_000;

/** A term's places in a vector: a place is the dimension doubled, and odd when its sign is negative. */
export interface Feature {
  readonly word: number;
  readonly groups: Uint16Array;
  readonly groupWeight: number;
  /** Scratch: how often the passage being summed holds the term, by weight. Zero between passages. */
  mass: number;
}

export interface Features {
  of(term: string): Feature;
  /** The features of a text's terms, repeats kept. A turn appears in the context of six others: it is analysed once. */
  ofText(text: string, terms?: readonly string[]): readonly Feature[];
  /** Forgets what exceeds the bounds. Only between passages: a term must keep one feature while a passage is summed. */
  trim(): void;
}

const placeOf = (hash: number, dimensions: number): number => (hash % dimensions) * 2 + (hash >>> 31);

/** The places of every group of 3 to 5 letters, the word's ends marked: "^cat$" holds "^ca", "cat", "at$", "^cat", … */
function groupPlaces(term: string, dimensions: number): Uint16Array {
  const framed = `^${term}$`;
  const places: number[] = [];
  for (const size of GROUP_SIZES) {
    for (let at = 0; at + size <= framed.length; at++) {
      places.push(placeOf(hash32(framed, at, at + size), dimensions));
    }
  }
  return Uint16Array.from(places);
}

function createFeature(term: string, dimensions: number): Feature {
  const groups = isUnspaced(term) ? NO_GROUPS : groupPlaces(term, dimensions);
  return {
    word: placeOf(hash32(`w:${term}`), dimensions),
    groups,
    groupWeight: groups.length > 0 ? GROUP_WEIGHT / Math.sqrt(groups.length) : 0,
    mass: 0,
  };
}

export function createFeatures(dimensions: number): Features {
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
    const full = byTerm.size > REMEMBERED_TERMS;
    if (full) byTerm.clear();
    if (full || characters > REMEMBERED_CHARACTERS) {
      byText.clear();
      characters = 0;
    }
  }

  return { of, ofText, trim };
}
