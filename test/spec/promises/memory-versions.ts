// Promises about the versions of memories: their order and their removal.
import type { PromiseRow } from '../promise.ts';

export const memoryVersions = [
  {
    id: 'memories:versions:order',
    source: 'ours',
    says: 'Versions of a memory are ordered by the time of their statements: an older statement that arrives late becomes an earlier version, and the latest stays the latest. Without dates, and within an hour of arrival, the order of arrival counts.',
    ways: ['rest'],
  },
  {
    id: 'memories:versions:one-latest',
    source: 'contract §5.5',
    says: 'Exactly one version of a fact is the latest, however many documents or requests change it at the same time.',
    ways: ['rest'],
  },
  {
    id: 'memories:create:changes',
    source: 'ours',
    says: 'A memory that is created directly and changes a known one ("I live in Berlin", "I moved to Munich") becomes a version of it, by the same rules as one that is drawn from a document.',
    ways: ['rest'],
  },
  {
    id: 'memories:update:supported',
    source: 'ours',
    says: 'A version that was written by PATCH is supported by that request, as a light document: deleting the documents of the previous version does not erase it.',
    ways: ['rest'],
  },
  {
    id: 'tags:merge:versions',
    source: 'ours',
    says: 'Memories that move to other tags, by a merge or with their document, join the chain of versions of the same fact there, in the order of their statements.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
