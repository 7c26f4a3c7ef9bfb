// From what was sent to readable text. Runs in a child process: a hostile file costs one failed document.

/** Exactly one of them. A file is named by its absolute path; it is read only, and stays where it is. */
export type ContentSource =
  | { readonly text: string; readonly file?: undefined }
  | { readonly file: string; readonly text?: undefined };

/** Kinds of text: their bytes look alike, so whoever knows better may say so. */
export type TextKind = 'text' | 'markdown' | 'html' | 'csv' | 'tsv' | 'json' | 'subtitles' | 'code';

/** What content was found to be. Of all that is not text the bytes alone decide. */
export type ContentKind =
  | TextKind
  | 'pdf'
  | 'doc'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'odp'
  | 'ods'
  | 'image'
  | 'audio'
  | 'video';

/** The published document types that content of such a kind has. */
export type DocumentType = 'text' | 'pdf' | 'image' | 'video' | 'audio' | 'webpage';

/** Any OpenAI-compatible service of transcriptions. */
export interface TranscriptionSettings {
  /** MEMOIR_TRANSCRIPTION_MODEL, as in "whisper-1". */
  readonly model: string;
  /** OPENAI_BASE_URL; undefined: https://api.openai.com/v1. */
  readonly baseUrl?: string | undefined;
  /** OPENAI_API_KEY; undefined: none is sent. */
  readonly apiKey?: string | undefined;
  /** ISO 639-1, as in "en"; undefined: the service finds out. */
  readonly language?: string | undefined;
  /** For one piece of at most 10 minutes; default: 10 minutes. */
  readonly timeoutMs?: number | undefined;
}

/** What is known beside the content itself; nothing of it is believed against the bytes. */
export interface ContentHints {
  /** Forces the reading of a text; ignored for content that is not text. */
  readonly kind?: TextKind | undefined;
  /** Its ending only tells kinds of plain text apart (.md, .csv, .tsv, .ts …). */
  readonly fileName?: string | undefined;
  /** As declared by whoever sent it; like the ending. */
  readonly mimeType?: string | undefined;
  /** From a header. */
  readonly charset?: string | undefined;
  /** Where it is from: links of a page are made whole with it. */
  readonly url?: string | undefined;
  /** MEMOIR_OCR_LANGUAGES, as in ["eng", "deu"]: names of @tesseract.js-data packages; default: ["eng"]. */
  readonly languages?: readonly string[] | undefined;
  /** Undefined: audio and video fail with `transcription_unavailable`, which names the setting. */
  readonly transcription?: TranscriptionSettings | undefined;
}

export type ReadJob = ContentSource & ContentHints;

/**
 * A passage with one place of its own: a page, a slide, a row, a stretch of time. Its text is never empty.
 * What has no such places (text, Markdown, a page of HTML, DOCX) comes as one part, or when it is long as
 * several, of which all but the first go on where the one before ended.
 */
export interface ContentPart {
  readonly text: string;
  /** Its text follows that of the part before without anything between them: joined by "" they are the text. */
  readonly continues?: true;
  /** The heading it stands under (a chapter, the title of a slide), outermost first and joined by " > ". */
  readonly heading?: string;
  /** From 1. */
  readonly page?: number;
  /** From 1. The notes of a slide stand in its part, behind its text. */
  readonly slide?: number;
  /** Its name. */
  readonly sheet?: string;
  /** As a spreadsheet counts, from 1 with the header. After the first thousand of a sheet, rows share parts: a line each. */
  readonly row?: number;
  /** The last row, where a part holds several. */
  readonly lastRow?: number;
  /** Seconds from the beginning, for subtitles, audio and video. */
  readonly startTime?: number;
  readonly endTime?: number;
  /** Who speaks, where subtitles say so. */
  readonly speaker?: string;
}

/** How the texts of the parts are written: Markdown, lines that each stand alone (rows, code), or prose. */
export type TextForm = 'prose' | 'markdown' | 'lines';

/** Known before the first part. */
export interface ContentHead {
  readonly type: DocumentType;
  readonly kind: ContentKind;
  /** Found by the bytes, as in "application/pdf". */
  readonly mimeType: string;
  readonly form: TextForm;
  readonly title?: string;
  /** As said by the content: author, site, published, canonicalUrl, description, language, pages, duration (seconds) … */
  readonly metadata?: Readonly<Record<string, string | number>>;
}

export interface ReadContent extends ContentHead {
  /** Empty where they were handed over in batches. */
  readonly parts: readonly ContentPart[];
  /** How many characters all parts have together. */
  readonly characters: number;
  /** What was left out and why, in sentences for the owner: "Only the first 1,000 of 20,000 pages were read." */
  readonly note?: string;
}

export interface ReadProgress {
  readonly done: number;
  readonly total: number;
  readonly unit: 'pages' | 'slides' | 'sheets' | 'parts';
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The head is known and parts follow. Called once more when a child had to start over: what came before is void. */
  readonly begin?: ((head: ContentHead) => void) | undefined;
  /** Takes the parts as they come, about 256 KB at a time; reading waits for its promise, and the clock of its limit with it. */
  readonly batch?: ((parts: readonly ContentPart[]) => void | Promise<void>) | undefined;
  readonly progress?: ((progress: ReadProgress) => void) | undefined;
}

export interface ContentReader {
  /** Rejects with an IngestError whose code is one of the FailureCodes in failures.ts. */
  read(job: ReadJob, options?: ReadOptions): Promise<ReadContent>;
  close(): Promise<void>;
}

export interface ExtractLimits {
  /** For text and pages. */
  readonly timeoutMs: number;
  /** For documents, tables and pictures; default: 60 s. */
  readonly documentMs?: number;
  /** For documents whose pages have to be read by OCR; default: 10 minutes. */
  readonly ocrMs?: number;
  readonly heapMb: number;
  readonly residentMb: number;
}
