// Putting what is known into fewer words, for the profile of somebody.
import type { Spending } from './port.ts';

export interface Fact {
  readonly text: string;
  /** When it was said, in milliseconds. */
  readonly date: number;
}

/** Lines are written for each of these by itself. */
export interface FactSection {
  readonly name: string;
  /** What belongs into it. */
  readonly about: string;
  /** The places of its facts. */
  readonly facts: readonly number[];
}

export interface SummaryRequest {
  readonly facts: readonly Fact[];
  readonly sections: readonly FactSection[];
}

export interface SummaryLine {
  readonly text: string;
  /** The places of the facts that it puts together; some at least. */
  readonly of: readonly number[];
}

export interface Summariser {
  /** "openai:gpt-5-mini", as it is named in logs. */
  readonly name: string;
  /** Lines by the name of their section; a section may be missing. Whatever it fails with may be logged. */
  summarise(
    request: SummaryRequest,
    signal: AbortSignal,
    spending: Spending,
  ): Promise<ReadonlyMap<string, readonly SummaryLine[]>>;
}
