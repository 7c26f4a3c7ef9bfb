// From what was sent to readable text. Runs in a child process: a hostile file costs one failed document.

export interface ExtractJob {
  /** Content given as a string. Files arrive as a path in later work. */
  readonly text: string;
  /** What the content was recognised as; picks the extractor. */
  readonly kind: 'html';
  readonly url?: string;
}

export interface Extracted {
  readonly text: string;
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, string | number>>;
}

export interface ExtractLimits {
  readonly timeoutMs: number;
  readonly heapMb: number;
  readonly residentMb: number;
}

export interface Extractor {
  /** Rejects with an IngestError whose code is one of: empty_file, no_text_found, too_deep, text_too_large, file_too_complex, extraction_timeout, extraction_failed. */
  extract(job: ExtractJob, signal?: AbortSignal): Promise<Extracted>;
  close(): Promise<void>;
}
