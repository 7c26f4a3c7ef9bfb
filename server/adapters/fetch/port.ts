// What stands at a web address. Nothing inside a private network is ever reached, whatever the address says.

/** A page or a file, as bytes in a file of its own; what it is, its bytes have to say. */
export interface WebFile {
  readonly what: 'file';
  /** Absolute; it lies there until it is discarded. */
  readonly file: string;
  readonly bytes: number;
  /** Where it was found in the end. */
  readonly url: string;
  /** As declared, which may be wrong; in small letters, without parameters. */
  readonly mimeType?: string;
  readonly charset?: string;
  /** As the server or the address calls it. */
  readonly fileName?: string;
  /** Of a spreadsheet that was asked for as a table. */
  readonly sheet?: true;
  readonly title?: string;
}

export interface SpokenLine {
  readonly text: string;
  /** Seconds from the beginning. */
  readonly startTime: number;
  readonly endTime: number;
}

/** The page of a video: what is said in it, or where nobody wrote that down, what is said about it. */
export interface WebVideo {
  readonly what: 'video';
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string | number>>;
  /** Empty: there is no transcript, and `note` says so. */
  readonly lines: readonly SpokenLine[];
  readonly note?: string;
}

export interface Web {
  /** Rejects with an IngestError whose code is one of the FetchCodes in failures.ts, or `http_` and a status. */
  open(address: string, signal: AbortSignal): Promise<WebFile | WebVideo>;
  /** The bytes of a file are not needed any more. */
  discard(file: WebFile): Promise<void>;
  close(): Promise<void>;
}
