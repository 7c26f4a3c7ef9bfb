// What the extractor and its child process say to each other.
import type { ContentHead, ContentPart, ContentSource, ReadJob, ReadProgress } from './port.ts';

/** What kind of patience the job needs; the child tells once it knows. */
export type Pace = 'quick' | 'document' | 'ocr';

/** The key of a transcription service has no business in a process that parses. */
export type ChildJob = ContentSource & Omit<ReadJob, 'transcription' | 'text' | 'file'>;

export type Message =
  | {
      readonly event: 'read';
      readonly number: number;
      readonly job: ChildJob;
      /** An empty folder of its own, for what is too large to send: pieces of sound. */
      readonly scratch: string;
      /** How long all of its OCR may take: it stops by itself before it would be stopped. */
      readonly ocrMs: number;
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

/** A piece of a recording, cut out without being decoded; or all of it. */
export interface AudioPiece {
  readonly file: string;
  /** Under which it is sent: its ending tells the format. */
  readonly name: string;
  readonly mimeType: string;
  readonly startTime: number;
  readonly endTime: number;
}

export interface Done {
  readonly note?: string;
  /** What is still to be transcribed. */
  readonly audio?: readonly AudioPiece[];
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** For the log: what a parser said. */
  readonly detail?: string;
}
