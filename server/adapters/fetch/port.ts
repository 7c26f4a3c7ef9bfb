// The port of fetching: the content at a web address. Nothing inside a private network is ever reached.

/** A page or a file, as bytes in a file of its own; its kind is detected later. */
export interface WebFile {
  readonly what: 'file';
  /** An absolute path; the file exists until it is discarded. */
  readonly file: string;
  readonly bytes: number;
  /** The address after all redirects. */
  readonly url: string;
  /** As declared by the server; in small letters, without parameters. */
  readonly mimeType?: string;
  readonly charset?: string;
  /** From the server or from the address. */
  readonly fileName?: string;
  /** True for the table of an online spreadsheet. */
  readonly sheet?: true;
  readonly title?: string;
}

export interface SpokenLine {
  readonly text: string;
  /** Seconds from the beginning. */
  readonly startTime: number;
  readonly endTime: number;
}

/** A video: its transcript, or its title and description where there is none. */
export interface WebVideo {
  readonly what: 'video';
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string | number>>;
  /** Empty without a transcript; `note` says so then. */
  readonly lines: readonly SpokenLine[];
  readonly note?: string;
}

export interface Web {
  /** Rejects with an IngestError whose code is one of the FetchCodes in failures.ts, or `http_` and a status. */
  open(address: string, signal: AbortSignal): Promise<WebFile | WebVideo>;
  /** Deletes the file. */
  discard(file: WebFile): Promise<void>;
  close(): Promise<void>;
}
