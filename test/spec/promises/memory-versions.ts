// Promises about the versions of memories: which of them holds, and what keeps it.
import type { PromiseRow } from '../promise.ts';

export const memoryVersions = [
  {
    id: 'memories:versions:order',
    source: 'ours',
    says: 'Versions of a memory stand in the order in which they were said: what arrives late and was said earlier becomes an earlier version, and the latest stays the latest. Without dates, and within an hour of arrival, the order of arrival counts.',
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
    says: 'A version that was written by PATCH is supported by that request, as a light document: deleting the documents of the version before does not erase it.',
    ways: ['rest'],
  },
  {
    id: 'tags:merge:versions',
    source: 'ours',
    says: 'When memories come under other tags, by a merge or with their document, what both sides say of one fact becomes one chain of versions in the order in which it was said.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
