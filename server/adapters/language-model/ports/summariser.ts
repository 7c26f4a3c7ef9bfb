// The port for summarising the facts of a profile.
import type { ReportTokens } from './memory-reader.ts';

export interface SummaryFact {
  readonly text: string;
  /** The time of the statement, in milliseconds. */
  readonly date: number;
}

/** The model writes separate lines for each section. */
export interface SummarySection {
  readonly name: string;
  /** A description of its subject. */
  readonly about: string;
  /** The indexes of its facts. */
  readonly facts: readonly number[];
}

export interface SummaryRequest {
  readonly facts: readonly SummaryFact[];
  readonly sections: readonly SummarySection[];
}

export interface SummaryLine {
  readonly text: string;
  /** The indexes of the facts that the line combines; at least one. */
  readonly of: readonly number[];
}

export interface Summariser {
  /** The name in logs, as in "openai:gpt-5-mini". */
  readonly name: string;
  /** Lines by section name; a section may be missing. Errors may be logged. */
  summarise(
    request: SummaryRequest,
    signal: AbortSignal,
    reportTokens: ReportTokens,
  ): Promise<ReadonlyMap<string, readonly SummaryLine[]>>;
}
