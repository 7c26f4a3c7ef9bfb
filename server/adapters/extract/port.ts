// The port of extraction: from content to text. Parsers run in a child process, so a hostile file costs one failed document.
import type { ExtractedKind, TextKind } from './content-kinds.generated.ts';

/** A content with more characters fails with `text_too_large`. */
export const LONGEST_TEXT = 30_000_000;

/** Exactly one of them. A file is named by its absolute path; it is only read and stays in its place. */
export type ContentSource =
  | { readonly text: string; readonly file?: undefined }
  | { readonly file: string; readonly text?: undefined };

/** The published document types that content of a kind has. */
export type DocumentType = 'text' | 'pdf' | 'image' | 'video' | 'audio' | 'webpage';

/** Facts about the content from elsewhere; the bytes decide where they differ. */
export interface ContentHints {
  /** Forces the kind of a text; ignored for content that is not text. */
  readonly kind?: TextKind | undefined;
  /** Its ending only tells kinds of plain text apart (.md, .csv, .tsv, .ts …). */
  readonly fileName?: string | undefined;
  /** As the sender declared it; used like the ending. */
  readonly mimeType?: string | undefined;
  /** From a header. */
  readonly charset?: string | undefined;
  /** The address of a page; its relative links are completed with it. */
  readonly url?: string | undefined;
  /** MEMOIR_OCR_LANGUAGES, as in ["eng", "deu"]: names of @tesseract.js-data packages; default: ["eng"]. */
  readonly languages?: readonly string[] | undefined;
}

export type ReadJob = ContentSource & ContentHints;

/**
 * A passage with one place of its own: a page, a slide, a row, a time. Its text is never empty.
 * Content without such places (text, Markdown, a page of HTML, DOCX) comes as one part, or when it is long as
 * several parts, of which all but the first continue the part before.
 */
export interface ContentPart {
  readonly text: string;
  /** Its text continues the part before without anything between them: joined by "" they are the text. */
  readonly continues?: true;
  /** The headings above it (a chapter, the title of a slide), outermost first and joined by " > ". */
  readonly heading?: string;
  /** From 1. */
  readonly page?: number;
  /** From 1. The notes of a slide stand in its part, behind its text. */
  readonly slide?: number;
  /** The name of the sheet. */
  readonly sheet?: string;
  /** As a spreadsheet counts, from 1 with the header. After the first thousand of a sheet, rows share parts: a line each. */
  readonly row?: number;
  /** The last row, where a part holds several. */
  readonly lastRow?: number;
  /** Seconds from the beginning, for subtitles, audio and video. */
  readonly startTime?: number;
  readonly endTime?: number;
  /** The speaker, where subtitles, a transcript or a thread of mail name one. */
  readonly speaker?: string;
  /** The time at which it was said, in milliseconds. */
  readonly at?: number;
}

/** The form of the texts of the parts: Markdown, lines that each stand alone (rows, code), or prose. */
export type TextForm = 'prose' | 'markdown' | 'lines';

/** Known before the first part. */
export interface ContentHead {
  readonly type: DocumentType;
  readonly kind: ExtractedKind;
  /** Detected by the bytes, as in "application/pdf". */
  readonly mimeType: string;
  readonly form: TextForm;
  readonly title?: string;
  /** From the content itself: author, site, published, canonicalUrl, description, language, pages, duration (seconds) … */
  readonly metadata?: Readonly<Record<string, string | number>>;
}

export interface ReadContent extends ContentHead {
  /** Empty when they were handed over in batches. */
  readonly parts: readonly ContentPart[];
  /** The sum over all parts. */
  readonly characters: number;
  /** The parts that were left out and why, in sentences for the owner: "Only the first 1,000 of 20,000 pages were read." */
  readonly note?: string;
}

/** The things that a crawler needs of a page besides its text. */
export interface LinkedPage {
  /** Complete addresses, without those that say `nofollow`. */
  readonly links: readonly string[];
  readonly canonical: string | null;
  readonly title: string | null;
  /** A hash of the readable text. */
  readonly textMark: string;
  readonly noIndex: boolean;
  readonly noFollow: boolean;
}

export interface ReadProgress {
  readonly done: number;
  readonly total: number;
  readonly unit: 'pages' | 'slides' | 'sheets' | 'parts';
}

/** The owner of the content: tags take turns, and a key that used much reading time waits for others. */
export interface ReadOwner {
  /** Any name of its set of container tags. */
  readonly tag: string;
  /** The id of the key that sent it; null: none. */
  readonly key: string | null;
}

export interface ReadOptions {
  readonly owner?: ReadOwner | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The head is known and parts follow. */
  readonly begin?: ((head: ContentHead) => void) | undefined;
  /** Takes the parts as they come, about 256 KB at a time. Reading and its time limit wait for the promise. */
  readonly batch?: ((parts: readonly ContentPart[]) => void | Promise<void>) | undefined;
  readonly progress?: ((progress: ReadProgress) => void) | undefined;
}

export interface ContentReader {
  /** Rejects with an IngestError whose code is a FailureCode of failures.ts, or one of the transcriber. */
  read(job: ReadJob, options?: ReadOptions): Promise<ReadContent>;
  /** Reads the links of HTML; rejects as `read` does. */
  readLinks(
    page: { readonly html: string; readonly url: string },
    options?: Pick<ReadOptions, 'owner' | 'signal'>,
  ): Promise<LinkedPage>;
  /** The ids of the keys whose content waits for that of others. */
  slowedKeys(): string[];
  /** The processes that were started in the place of one that failed. */
  childRestarts(): number;
  close(): Promise<void>;
}

/** A piece of a recording, cut out without being decoded; or the whole recording. */
export interface AudioPiece {
  readonly file: string;
  /** The name under which it is sent; its ending names the format. */
  readonly name: string;
  readonly mimeType: string;
  readonly startTime: number;
  readonly endTime: number;
}

export interface AudioReceiver {
  parts(parts: readonly ContentPart[]): void | Promise<void>;
  progress(progress: ReadProgress): void;
  readonly signal?: AbortSignal | undefined;
}

/** The extractor's need of a transcriber; adapters/transcribe/ has one. */
export interface AudioTranscriber {
  /** Resolves with sentences for the owner. */
  transcribe(pieces: readonly AudioPiece[], receiver: AudioReceiver): Promise<string[]>;
}

/** The part of a log that the extractor needs. */
export interface ExtractLog {
  warn(details: object, message: string): void;
}

export interface OcrOptions {
  /** The folder of installed models, those of languages among them; undefined: there is none. */
  readonly models?: string | undefined;
  /** The number of pages of a document that are recognised at once; default: half of the cores. */
  readonly workers?: number | undefined;
  /** The path of the program `tesseract`, or "none"; default: the one that is found in the folders of PATH. */
  readonly program?: string | undefined;
}

export interface ExtractLimits {
  /** For text and pages. Processor time where the system reports it, else time. */
  readonly timeoutMs: number;
  /** For documents, tables and pictures; default: 60 s. */
  readonly documentMs?: number;
  /** For any content below 1 MB that is not recognised; default: 10 s. */
  readonly smallMs?: number;
  /** For documents whose pages are read by OCR; default: 10 minutes. */
  readonly ocrMs?: number;
  /** For each page or picture that is read by OCR; default: 60 s. */
  readonly ocrPageMs?: number;
  readonly heapMb: number;
  readonly residentMb: number;
}
