// What an extractor is given and what it does: one file for each kind of content, loaded in the child process alone.
import type { ContentHead, ContentHints, ContentPart, ReadProgress } from '../port.ts';
import type { AudioPiece } from '../protocol.ts';

/** The content, however it came. */
export interface Content extends Omit<ContentHints, 'kind' | 'transcription'> {
  readonly kind: ContentHead['kind'];
  readonly mimeType: string;
  /** Null for content given as a string. */
  readonly file: string | null;
  bytes(): Promise<Buffer>;
  /** Decoded; "" for what is not text. */
  readonly text: string;
  /** Where the extractor may write; made when it is asked for, and cleared away by whoever sent the job. */
  scratch(): Promise<string>;
  /** When all of its OCR should be over. */
  readonly ocrMs: number;
}

export type Head = Pick<ContentHead, 'form'> & {
  readonly title?: string | undefined;
  readonly metadata?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** Where looking closer told more than the bytes: a video without pictures is audio. */
  readonly kind?: ContentHead['kind'];
};

export interface Sink {
  /** Once, before the first part. */
  begin(head: Head): void;
  /** Text that is blank is left out. Awaiting it keeps the memory bounded. */
  part(part: ContentPart): Promise<void>;
  progress(done: number, total: number, unit: ReadProgress['unit']): void;
  /** For the owner: what was left out, and why. */
  note(sentence: string): void;
  /** From here on pages are recognised, which takes its time. */
  slow(): void;
  /** To be transcribed. */
  audio(piece: AudioPiece): void;
}

/** Rejects with `failure(…)`; anything else that a parser throws becomes `extraction_failed`. */
export type Extract = (content: Content, sink: Sink) => Promise<void>;
