// The number of vectors that go to the index at once.

/** While callers search, a write keeps Chroma busy for less than 200 ms, also with vectors of 3,072 numbers. */
const VECTORS_BESIDE_SEARCHES = 300;
const NUMBERS_BESIDE_SEARCHES = 230_400;

/** `best`: the number that the index takes best. */
export const batchSize = (best: number, dimensions: number, besideSearches: boolean): number =>
  besideSearches
    ? Math.min(best, VECTORS_BESIDE_SEARCHES, Math.ceil(NUMBERS_BESIDE_SEARCHES / dimensions))
    : best;
