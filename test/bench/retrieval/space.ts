// What a retrieval set consists of: spaces, each with its documents and with questions whose evidence is known.

export interface Turn {
  id: string;
  /** Null: a document, which nobody says. */
  speaker: string | null;
  role: 'user' | 'assistant' | null;
  text: string;
  /** Where only a part of the text can be found again in a result. */
  recognisedBy?: string;
}

export interface BenchDocument {
  id: string;
  /** As its source writes it, and what it means. */
  date: { text: string; iso: string } | null;
  title: string | null;
  turns: readonly Turn[];
}

export interface BenchQuestion {
  text: string;
  category: string;
  /** Turns or documents, as the set counts. */
  evidence: readonly string[];
}

/** Searched in a container of its own. */
export interface Space {
  id: string;
  documents: readonly BenchDocument[];
  questions: readonly BenchQuestion[];
}

export interface BenchSet {
  /** What evidence names and what one result stands for. */
  level: 'turn' | 'document';
  /** Results asked for: more where several of one document count once. */
  perQuestion: (limit: number) => number;
  spaces: readonly Space[];
}
