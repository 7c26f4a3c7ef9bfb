// The messages between the extractor and its child process.
import type { AudioPiece, ContentHead, ContentPart, ReadJob, ReadProgress } from './port.ts';

/** The time limit of a job; the child reports it once it knows the kind. */
export type Pace = 'quick' | 'document' | 'ocr';

export type ChildJob = ReadJob;

export type ParentMessage =
  | {
      readonly event: 'read';
      readonly number: number;
      readonly job: ChildJob;
      /** An empty folder of its own, for results that are too large for a message: pieces of sound. */
      readonly scratch: string;
      /** The time for all its OCR, and for a single page. The child stops before the parent would kill it. */
      readonly ocrMs: number;
      readonly ocrPageMs: number;
    }
  /** A batch was taken, the next may come. */
  | { readonly event: 'taken'; readonly number: number };

export type Answer = { readonly number: number } & (
  | { readonly event: 'pace'; readonly pace: Pace }
  | { readonly event: 'head'; readonly head: ContentHead }
  | { readonly event: 'parts'; readonly parts: readonly ContentPart[] }
  | { readonly event: 'progress'; readonly progress: ReadProgress }
  | { readonly event: 'done'; readonly done: Done }
  | { readonly event: 'failure'; readonly failure: Failure }
);

export interface Done {
  readonly note?: string;
  /** Pieces of sound to be transcribed. */
  readonly audio?: readonly AudioPiece[];
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** For the log: the error of the parser. */
  readonly detail?: string;
}
