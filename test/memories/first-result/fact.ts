// A fact in a document of its own, and a question that it answers.

export interface FactInTag {
  content: string;
  question: string;
  /** A word of the memory that answers the question. */
  answer: string;
}
