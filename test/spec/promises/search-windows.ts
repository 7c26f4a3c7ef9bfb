// Promises about what surrounds a hit.
import type { PromiseRow } from '../promise.ts';

export const searchWindows = [
  {
    id: 'search:window:reach',
    source: 'ours',
    says: 'Both searches take window, 0 to 5: a hit is given with so many turns of its conversation on each side, or half as many pieces of another text.',
    ways: ['rest'],
  },
  {
    id: 'search:window:default',
    source: 'ours',
    says: 'Unless it is given, window is 2 on /v4/search, and on /v3/search where onlyMatchingChunks is false; where onlyMatchingChunks is true it is 0.',
    ways: ['rest'],
  },
  {
    id: 'search:window:merged',
    source: 'ours',
    says: 'A window of /v4/search ends at 1,200 characters, windows that touch are one result, and no passage is shown twice.',
    ways: ['rest'],
  },
  {
    id: 'search:window:dates',
    source: 'ours',
    says: 'In a window of /v4/search what was said stands below the day on which it was said, where that is known.',
    ways: ['rest'],
  },
  {
    id: 'search:window:match',
    source: 'ours',
    says: "A chunk of /v4/search carries match: the hit's own text, and its position as the list of the document's chunks counts.",
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
