// What search asks of documents that follow each other.
import type { Scope } from '../../lib/scope.ts';

/** A document that is a message of a thread, or several. */
export interface ThreadPlace {
  document: number;
  /** Equal for documents of one thread. */
  thread: string;
  /** How many places it takes in its thread: the messages it holds. */
  messages: number;
}

/** Part of the search store. */
export interface ThreadStore {
  /** Those of these documents that are messages, with `count` on each side of each, in the order of their threads. */
  threads(scope: Scope, documents: readonly number[], count: number): Promise<ThreadPlace[]>;
}
