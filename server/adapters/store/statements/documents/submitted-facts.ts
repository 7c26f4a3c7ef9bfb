// Facts of a sender as they are stored: as JSON with their submission, and as a mark on the passages that they came with.
import type { SubmittedFact } from '../../ports/documents.ts';

/** The mark of a passage whose memories are the facts that its sender stated. */
export const STATED = 2;

export const storedFacts = (facts: readonly SubmittedFact[] | undefined): string | null =>
  facts === undefined ? null : JSON.stringify(facts);

export const parsedFacts = (stored: string): SubmittedFact[] => JSON.parse(stored);
