// Threads as search reads them: documents that follow each other.
import type { Scope } from '../../../core/scope.ts';

/** A document that is a message of a thread, or several. */
export interface ThreadPlace {
  document: number;
  /** Equal for documents of one thread. */
  thread: string;
  /** The number of its messages, each of which takes one position in the thread. */
  messages: number;
}

/** Part of the search store. */
export interface ThreadStore {
  /** The documents among these that are messages, with `count` on each side of each, in the order of their threads. */
  threads(scope: Scope, documents: readonly number[], count: number): Promise<ThreadPlace[]>;
}
