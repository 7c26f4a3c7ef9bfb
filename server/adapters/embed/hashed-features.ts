// The places of a text's terms in a hashed vector, and what their words mean, with a bounded cache. A feature is a number, and
// what is known of it stands in few arrays: texts of many words touch most of the cache, and an object for each feature, with
// an array of its own, would lie in many places of memory.
import { hash32 } from '../../lib/hash.ts';
import { isUnspaced } from '../../lib/text/language/scripts.ts';
import { addMeaning, type Meaning, meaningOfRoot } from '../../lib/text/meanings/word-meanings.ts';
import { analyse } from '../../lib/text/terms/analyse.ts';
import { rootOf } from '../../lib/text/terms/derivations.ts';

/** The vector depends on these values: with another value, the model must get another name. */
const GROUP_WEIGHT = 0.35;
const GROUP_SIZES = [3, 4, 5];

const CACHED_TERMS = 32_768;
const CACHED_CHARACTERS = 2_000_000;

export interface Features {
  of(term: string): number;
  /** The features of a text's terms, repeats kept. Cached, because a turn is in the context of six others. */
  ofText(text: string, terms?: readonly string[]): readonly number[];
  /** The weighted counts of features in the passage that is being summed, all of them zero between passages. */
  massOf(feature: number): number;
  setMass(feature: number, mass: number): void;
  /** Adds a feature to the sum of hashed places, and to that of meanings unless it is empty. */
  add(feature: number, weight: number, sum: Sum): void;
  /** Empties a full cache. Only between passages: a term must keep one feature while a passage is summed. */
  trim(): void;
}

/** The sum of features, in both parts of a vector. */
export interface Sum {
  readonly hashes: Float32Array;
  readonly meaning: Float32Array;
}

/** A place is the dimension doubled, and odd when its sign is negative. */
const signedPlace = (hash: number, dimensions: number): number => (hash % dimensions) * 2 + (hash >>> 31);

/** Without a branch: signs are random, so that the processor would mispredict every second branch. */
const signOf = (place: number): number => 1 - ((place & 1) << 1);

/** The places of every group of 3 to 5 letters, the word's ends marked: "^cat$" holds "^ca", "cat", "at$", "^cat", … */
const groupPlaces = (term: string, dimensions: number): number[] => {
  const framed = `^${term}$`;
  const places: number[] = [];
  for (const size of GROUP_SIZES)
    for (let at = 0; at + size <= framed.length; at++)
      places.push(signedPlace(hash32(framed, at, at + size), dimensions));
  return places;
};

/** Whole numbers of a feature: the place of its word, where its groups begin and end, and its meaning in the table. */
const [WORD, FROM, TO, MEANING] = [0, 1, 2, 3];
const WHOLE = 4;
const UNKNOWN: Meaning = { start: -1, weight: 0 };
/** The others: its mass, and the weights of a group and of its meaning. */
const [MASS, OF_GROUP, OF_MEANING] = [0, 1, 2];
const PARTS = 4;

const FIRST_ROOM = 1_024;

type Numbers = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** The same with room for so many numbers. */
const withRoom = <Kind extends Numbers>(numbers: Kind, wanted: number): Kind => {
  if (wanted <= numbers.length) return numbers;
  const larger = new (numbers.constructor as new (length: number) => Kind)(
    Math.max(wanted, numbers.length * 2),
  );
  larger.set(numbers);
  return larger;
};

/** The facts known of features, by their number. */
interface FeatureTable extends Pick<Features, 'massOf' | 'setMass' | 'add'> {
  store(feature: number, term: string): void;
  clear(): void;
}

const createFeatureTable = (dimensions: number): FeatureTable => {
  let whole = new Int32Array(FIRST_ROOM * WHOLE);
  let parts = new Float64Array(FIRST_ROOM * PARTS);
  let groups = new Uint16Array(FIRST_ROOM * WHOLE);
  let used = 0;
  const addHashes = (hashes: Float32Array, feature: number, weight: number): void => {
    const word = whole[feature * WHOLE + WORD] as number;
    (hashes[word >> 1] as number) += signOf(word) * weight;
    const groupWeight = weight * (parts[feature * PARTS + OF_GROUP] as number);
    const to = whole[feature * WHOLE + TO] as number;
    for (let at = whole[feature * WHOLE + FROM] as number; at < to; at++) {
      const place = groups[at] as number;
      (hashes[place >> 1] as number) += signOf(place) * groupWeight;
    }
  };
  return {
    store(feature, term) {
      const places = isUnspaced(term) ? [] : groupPlaces(term, dimensions);
      const word = signedPlace(hash32(`w:${term}`), dimensions);
      const { start, weight } = meaningOfRoot(rootOf(term)) ?? UNKNOWN;
      const groupWeight = places.length > 0 ? GROUP_WEIGHT / Math.sqrt(places.length) : 0;
      whole = withRoom(whole, (feature + 1) * WHOLE);
      parts = withRoom(parts, (feature + 1) * PARTS);
      groups = withRoom(groups, used + places.length);
      whole[feature * WHOLE + WORD] = word;
      whole[feature * WHOLE + FROM] = used;
      whole[feature * WHOLE + TO] = used + places.length;
      whole[feature * WHOLE + MEANING] = start;
      parts[feature * PARTS + MASS] = 0;
      parts[feature * PARTS + OF_GROUP] = groupWeight;
      parts[feature * PARTS + OF_MEANING] = weight;
      groups.set(places, used);
      used += places.length;
    },
    clear() {
      used = 0;
    },
    massOf: (feature) => parts[feature * PARTS + MASS] as number,
    setMass(feature, mass) {
      parts[feature * PARTS + MASS] = mass;
    },
    add(feature, weight, { hashes, meaning }) {
      addHashes(hashes, feature, weight);
      const start = whole[feature * WHOLE + MEANING] as number;
      if (meaning.length > 0 && start !== UNKNOWN.start)
        addMeaning(meaning, { start, weight: parts[feature * PARTS + OF_MEANING] as number }, weight);
    },
  };
};

export const createFeatures = (dimensions: number): Features => {
  const { store, clear, massOf, setMass, add } = createFeatureTable(dimensions);
  const byTerm = new Map<string, number>();
  const byText = new Map<string, readonly number[]>();
  let characters = 0;

  const of = (term: string): number => {
    const known = byTerm.get(term);
    if (known !== undefined) return known;
    const feature = byTerm.size;
    store(feature, term);
    byTerm.set(term, feature);
    return feature;
  };

  return {
    ...{ of, massOf, setMass, add },
    ofText(text, terms) {
      const known = byText.get(text);
      if (known) return known;
      const features = (terms ?? analyse(text)).map(of);
      byText.set(text, features);
      characters += text.length;
      return features;
    },
    trim() {
      const full = byTerm.size > CACHED_TERMS;
      if (full) {
        byTerm.clear();
        clear();
      }
      if (full || characters > CACHED_CHARACTERS) {
        byText.clear();
        characters = 0;
      }
    },
  };
};
