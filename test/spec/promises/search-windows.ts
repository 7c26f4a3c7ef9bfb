// Promises about the passages around a hit.
import type { PromiseRow } from '../promise.ts';

export const searchWindows = [
  {
    id: 'search:window:reach',
    source: 'ours',
    says: 'Both searches take window, 0 to 5: a hit comes with this number of turns of its conversation on each side, or half as many pieces of another text.',
    ways: ['rest'],
  },
  {
    id: 'search:window:default',
    source: 'ours',
    says: 'The default of window is 2 on /v4/search, and on /v3/search when onlyMatchingChunks is false; it is 0 when onlyMatchingChunks is true.',
    ways: ['rest'],
  },
  {
    id: 'search:window:merged',
    source: 'ours',
    says: 'A window of /v4/search has at most 1,200 characters, windows that touch are one, and a passage in the window of another result is no result of its own; a memory that was found itself is, with its passage alone.',
    ways: ['rest'],
  },
  {
    id: 'search:window:dates',
    source: 'ours',
    says: 'A window of /v4/search shows each statement below its day, if the day is known.',
    ways: ['rest'],
  },
  {
    id: 'search:window:match',
    source: 'ours',
    says: "A chunk of /v4/search, and a memory with its passage, carries match: the hit's own text, and its position as the list of the document's chunks counts.",
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
