// What the extractor and its child process say to each other.
import type { Extracted, ExtractJob } from './port.ts';

export interface Order {
  readonly number: number;
  readonly job: ExtractJob;
}

export type Answer =
  | { readonly number: number; readonly value: Extracted }
  | { readonly number: number; readonly failure: Failure };

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** For the log: what a parser said. */
  readonly detail?: string;
}
