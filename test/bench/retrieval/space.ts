// The form of a retrieval set: spaces, each with its documents and with questions whose evidence is known.

export interface Turn {
  id: string;
  /** Null for a document, which has no speaker. */
  speaker: string | null;
  role: 'user' | 'assistant' | null;
  text: string;
  /** The part of the text that can be found again in a result, if it is not the whole. */
  recognisedBy?: string;
}

export interface BenchDocument {
  id: string;
  /** The date as its source writes it, and its meaning. */
  date: { text: string; iso: string } | null;
  title: string | null;
  turns: readonly Turn[];
}

export interface BenchQuestion {
  text: string;
  category: string;
  /** Turns or documents, depending on the set. */
  evidence: readonly string[];
}

/** A question that nothing in its space answers. */
export type UnansweredQuestion = Pick<BenchQuestion, 'text' | 'category'>;

/** Searched in a container of its own. */
export interface Space {
  id: string;
  documents: readonly BenchDocument[];
  questions: readonly BenchQuestion[];
  /** With them, all questions are also asked at the default threshold. */
  unanswered?: readonly UnansweredQuestion[];
}

export interface BenchSet {
  /** The unit of evidence and of results. */
  level: 'turn' | 'document';
  /** The number of requested results: more when several of one document count once. */
  perQuestion: (limit: number) => number;
  spaces: readonly Space[];
}
