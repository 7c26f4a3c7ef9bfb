// The embedder that needs no key and no download. The first part of a vector holds hashed stems and letter groups of a
// passage in its context, the last part the mean of what its words mean in English.
// A vector depends on its passage alone; the rarity of a term in a container counts in the query's vector only.

import type { SpaceName } from '../../core/space.ts';
import { nextTurn } from '../../lib/async/wait.ts';
import { cutText } from '../../lib/text/cut.ts';
import { MEANING_DIMENSIONS } from '../../lib/text/meanings/word-meanings.ts';
import { analyseQuery } from '../../lib/text/terms/analyse.ts';
import { createFeatures, type Features, type Sum } from './hashed-features.ts';
import { embedderKind } from './kind.ts';
import type { Embedder, Passage } from './port.ts';
import { unitLength } from './unit-length.ts';

/** The vector depends on a layout and on the weights below: with another value, the model must get another name. */
interface Layout {
  readonly model: string;
  /** The dimensions of the hashed part, and of the part for meaning. */
  readonly hashed: number;
  readonly meaning: number;
  /** The share of meaning in the square of a vector's length. */
  readonly share: number;
}

const WITH_MEANING: Layout = {
  model: 'words-and-meaning-1',
  hashed: 320,
  meaning: MEANING_DIMENSIONS,
  share: 0.5,
};
/** The layout of vectors that an earlier version stored. */
const HASHES_ALONE: Layout = { model: 'context-hash-1', hashed: 384, meaning: 0, share: 0 };
const LAYOUTS = [WITH_MEANING, HASHES_ALONE];

const builtinSpace = ({ model, hashed, meaning }: Layout): SpaceName => ({
  embedder: 'builtin',
  model,
  dimensions: hashed + meaning,
});

const TITLE_WEIGHT = 1;
const SPEAKER_WEIGHT = 0.5;
const NEAREST_WEIGHT = 0.7;
const DECAY = 0.7;
const NEIGHBOURS = 3;
/** A neighbour much longer than the passage is scaled down to this many terms, or to the passage's own number. */
const NEIGHBOUR_TERMS = 16;

const LIMITS = { passagesPerCall: 256, charactersPerPassage: 100_000, parallelCalls: 1 };
/** About two milliseconds of work on ordinary chunks. */
const PASSAGES_BETWEEN_PAUSES = 32;

const emptySum = ({ hashed, meaning }: Layout): Sum => ({
  hashes: new Float32Array(hashed),
  meaning: new Float32Array(meaning),
});

/** Writes the part in unit length, times `weight`; a part without direction stays zero. */
const writePart = (vector: Float32Array, from: number, part: Float32Array, weight: number): void => {
  const direction = unitLength(part);
  if (direction === null) return;
  for (let at = 0; at < direction.length; at++) vector[from + at] = (direction[at] as number) * weight;
};

/** Both parts in one vector of unit length; null where the features cancel each other out. */
const vectorOfSum = ({ hashed, meaning, share }: Layout, sum: Sum): Float32Array | null => {
  const vector = new Float32Array(hashed + meaning);
  writePart(vector, 0, sum.hashes, Math.sqrt(1 - share));
  writePart(vector, hashed, sum.meaning, Math.sqrt(share));
  return unitLength(vector);
};

/** The vector of a passage whose features cancel each other out. */
const anyDirection = (layout: Layout): Float32Array =>
  new Float32Array(layout.hashed + layout.meaning).fill(1, 0, 1);

/** A repeated term counts more, but not double; a term of the context alone counts by its share. */
const damped = (mass: number): number => (mass < 1 ? mass : 1 + Math.log(mass));

/** At least one term for any text: its terms with stop words, else its characters (emoji), else the empty term. */
const termsOrCharacters = (text: string): string[] => {
  const terms = analyseQuery(text);
  if (terms.length > 0) return terms;
  const characters = Array.from(text.slice(0, 1000)).filter((character) => character.trim() !== '');
  return characters.length > 0 ? characters : [''];
};

interface Weighted {
  readonly features: readonly number[];
  readonly weight: number;
}

/** The passage and its context. The context must not outweigh the passage, as a long reply would. */
const weightedParts = (features: Features, passage: Passage): Weighted[] => {
  const of = (text: string) => features.ofText(cutText(text, LIMITS.charactersPerPassage));
  const fits = passage.text.length <= LIMITS.charactersPerPassage;
  const body = fits ? features.ofText(passage.text, passage.terms) : of(passage.text);
  const parts: Weighted[] = [{ features: body, weight: 1 }];
  if (passage.title) parts.push({ features: of(passage.title), weight: TITLE_WEIGHT });
  if (passage.speaker) parts.push({ features: of(passage.speaker), weight: SPEAKER_WEIGHT });

  const most = Math.max(body.length, NEIGHBOUR_TERMS);
  const addNeighbour = (text: string, distance: number): void => {
    const neighbour = of(text);
    const share = Math.min(1, most / neighbour.length);
    parts.push({ features: neighbour, weight: NEAREST_WEIGHT * DECAY ** distance * share });
  };
  passage.previous.slice(0, NEIGHBOURS).forEach(addNeighbour);
  passage.next.slice(0, NEIGHBOURS).forEach(addNeighbour);
  return parts;
};

const embedPassage = (layout: Layout, features: Features, passage: Passage): Float32Array => {
  const touched: number[] = [];
  const gather = (part: Weighted): void => {
    for (const feature of part.features) {
      const mass = features.massOf(feature);
      if (mass === 0) touched.push(feature);
      features.setMass(feature, mass + part.weight);
    }
  };
  weightedParts(features, passage).forEach(gather);
  if (touched.length === 0) gather({ features: termsOrCharacters(passage.text).map(features.of), weight: 1 });

  const sum = emptySum(layout);
  for (const feature of touched) {
    features.add(feature, damped(features.massOf(feature)), sum);
    features.setMass(feature, 0);
  }
  return vectorOfSum(layout, sum) ?? anyDirection(layout);
};

const embedQueryTerms = (
  layout: Layout,
  features: Features,
  query: string,
  weigh: (term: string) => number,
): Float32Array | null => {
  const counts = new Map<string, number>();
  for (const term of termsOrCharacters(cutText(query, LIMITS.charactersPerPassage))) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const sum = emptySum(layout);
  for (const [term, count] of counts) features.add(features.of(term), damped(count) * weigh(term), sum);
  return vectorOfSum(layout, sum);
};

export const createBuiltinEmbedder = (layout: Layout = WITH_MEANING): Embedder => {
  const features = createFeatures(layout.hashed);
  const evenly = () => 1;

  async function embed(
    passages: readonly Passage[],
    signal?: AbortSignal,
    embedded?: (count: number) => void,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const vectors: Float32Array[] = [];
    for (const passage of passages) {
      if (vectors.length > 0 && vectors.length % PASSAGES_BETWEEN_PAUSES === 0) {
        embedded?.(PASSAGES_BETWEEN_PAUSES);
        await nextTurn();
        signal?.throwIfAborted();
      }
      features.trim();
      vectors.push(embedPassage(layout, features, passage));
    }
    return vectors;
  }

  async function embedQuery(
    query: string,
    weigh: (term: string) => number = evenly,
    signal?: AbortSignal,
  ): Promise<Float32Array> {
    signal?.throwIfAborted();
    features.trim();
    // A container without any of the words gives them no weight, but the query still needs a direction.
    return (
      embedQueryTerms(layout, features, query, weigh) ??
      embedQueryTerms(layout, features, query, evenly) ??
      anyDirection(layout)
    );
  }

  return {
    space: builtinSpace(layout),
    limits: LIMITS,
    context: 'both',
    keepExact: false,
    embed,
    embedQuery,
  };
};

/** The fallback: it needs no settings. */
export const builtinEmbedder = embedderKind({
  name: 'builtin',
  isFallback: true,
  requestedSpace: () => builtinSpace(WITH_MEANING),
  open: async () => createBuiltinEmbedder(),
  openStored: (_settings: object, { model, dimensions }) => {
    const layout = LAYOUTS.find((one) => one.model === model && builtinSpace(one).dimensions === dimensions);
    return layout ? createBuiltinEmbedder(layout) : null;
  },
});
