// The messages between the extractor and its child process.
import type { AudioPiece, ContentHead, ContentPart, LinkedPage, ReadJob, ReadProgress } from './port.ts';

/** The time limit of a job; the child reports it once it knows the kind. */
export type Pace = 'quick' | 'document' | 'ocr';

/** `wants`: the text of the content, or of a page what leads to others. */
export type ChildJob = ReadJob & { readonly wants?: 'links' };

/** The most pixels of a page that is rendered, and of a page that the parent process takes from the child for the program. */
export const MOST_PAGE_PIXELS = 12_000_000;

export interface RecognisedText {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
}

/** A page for the program: its pixels, a byte of grey each, are in the scratch folder of the job, in a file with this number. */
export interface PageToRecognise {
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly withinMs: number;
}

/** In the scratch folder of the job. */
export const pixelFile = (page: number): string => `page-${page}.grey`;

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
      /** The number of pages that are recognised at once. */
      readonly ocrWorkers: number;
      /** The folder of installed models, of which the child may read the languages; null: there is none. */
      readonly models: string | null;
      /** The parent has a program that recognises pages in the languages of the job. */
      readonly hasProgram: boolean;
    }
  /** The answer to `recognise`; null: the program failed. */
  | {
      readonly event: 'recognised';
      readonly number: number;
      readonly page: number;
      readonly recognised: RecognisedText | null;
    }
  /** A batch was taken, the next may come. */
  | { readonly event: 'taken'; readonly number: number };

export type Answer = { readonly number: number } & (
  | { readonly event: 'pace'; readonly pace: Pace }
  | { readonly event: 'head'; readonly head: ContentHead }
  | { readonly event: 'parts'; readonly parts: readonly ContentPart[] }
  | { readonly event: 'progress'; readonly progress: ReadProgress }
  | { readonly event: 'recognise'; readonly asked: PageToRecognise }
  | { readonly event: 'done'; readonly done: Done }
  | { readonly event: 'failure'; readonly failure: Failure }
);

export interface Done {
  readonly note?: string;
  /** For a job that wants links. */
  readonly page?: LinkedPage;
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
