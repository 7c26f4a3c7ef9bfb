// The contract of an extractor: what it declares, what it is given, and where it writes. Each extractor is declared by one file in kinds/.

import type { GreyPicture } from '../../lib/pictures/grey-picture.ts';
import type { OleKind } from './containers/ole.ts';
import type { Archive } from './containers/zip.ts';
import type {
  AudioPiece,
  ContentHead,
  ContentHints,
  ContentPart,
  DocumentType,
  ReadProgress,
} from './port.ts';
import type { Pace, RecognisedText } from './protocol.ts';

/** One extractor. `npm run generate` finds it in kinds/, lists it and writes its line of docs/content.md. */
export interface Extractor {
  /** By the name of the kind: "docx". */
  readonly kinds: Readonly<Record<string, KindDeclaration>>;
  readonly documentation: ExtractorDocumentation;
  /** Imports its library, and a body of more than a few lines, on first use: the child process loads every declaration at its start. */
  readonly read: Extract;
}

export interface ExtractorDocumentation {
  /** The formats as a user knows them: "ODT, ODP, ODS". */
  readonly formats: string;
  readonly readAs: string;
  /** The metadata of a passage that say where it stands. */
  readonly places: string;
}

export interface KindDeclaration {
  /** In the sentence "Send it as …". */
  readonly label: string;
  /** A function where the text decides; the kinds that a signature detects keep the detected media type. */
  readonly mimeType: string | ((text: string) => string);
  /** Default: "text". */
  readonly documentType?: DocumentType;
  /** Its time limit; `child/read.ts` reports it to the parent process. */
  readonly pace: Exclude<Pace, 'ocr'>;
  /** A kind of text: the caller may name it, because its bytes look like any other text. */
  readonly isText?: true;
  readonly detect: Detection;
}

/** The marks of a kind. The bytes decide; endings and declared types only tell kinds of text apart. */
export interface Detection {
  /** The first bytes of the file, at most 64 KB. */
  readonly firstBytes?: (head: Buffer) => boolean;
  /** The media type that a signature stands for, as in "image/png". */
  readonly signature?: RegExp;
  /** An old Office file of this kind. */
  readonly ole?: OleKind;
  /** A look into a ZIP archive. `mimeType`: as its first bytes say. */
  readonly archive?: (archive: Archive, mimeType: string) => boolean | Promise<boolean>;
  /** The text can be nothing else, whatever the name says. */
  readonly certainText?: (text: TextStart) => boolean;
  /** The text may be of this kind; the name decides first. */
  readonly likelyText?: (text: TextStart) => boolean;
  /** The name alone is not enough: the text has to look like it. */
  readonly confirmsName?: (text: TextStart) => boolean;
  /** File name endings, separated by spaces. */
  readonly endings?: string;
  /** Declared media types. */
  readonly declaredTypes?: readonly string[];
}

/** The beginning of a text. */
export interface TextStart {
  readonly text: string;
  /** The first 16,384 characters, without white space before them. */
  readonly head: string;
  /** The same behind comments and XML declarations. */
  readonly body: string;
}

/** The content of one job. */
export interface Content extends Omit<ContentHints, 'kind'> {
  readonly kind: ContentHead['kind'];
  readonly mimeType: string;
  /** Null for content that was sent as a string. */
  readonly file: string | null;
  bytes(): Promise<Buffer>;
  /** Decoded; "" for content that is not text. */
  readonly text: string;
  /** A folder to write to, made on first use. The parent process deletes it after the job. */
  scratch(): Promise<string>;
  /** The time for all OCR of this content, and for a single page or picture. */
  readonly ocrMs: number;
  readonly ocrPageMs: number;
  /** The number of pages that are recognised at once. */
  readonly ocrWorkers: number;
  /** The folder of installed models, those of languages of OCR among them; null: there is none. */
  readonly models: string | null;
  /** The program of this machine that recognises a page; null: there is none. It resolves with null when the program fails. */
  readonly program: RecognisePicture | null;
}

export type RecognisePicture = (picture: GreyPicture, withinMs: number) => Promise<RecognisedText | null>;

export type Head = Pick<ContentHead, 'form'> & {
  readonly title?: string | undefined;
  readonly metadata?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** Set if the extractor knows more than the detection: a video without pictures is audio. */
  readonly kind?: ContentHead['kind'];
};

export interface Sink {
  /** Once, before the first part. */
  begin(head: Head): void;
  /** Blank text is left out. Await it: that bounds the memory. */
  part(part: ContentPart): Promise<void>;
  progress(done: number, total: number, unit: ReadProgress['unit']): void;
  /** A sentence for the owner: what was left out, and why. */
  note(sentence: string): void;
  /** Pages are recognised from here on: the time limit of OCR begins, and each part is sent at once. Await it. */
  slow(): Promise<void>;
  /** A piece of sound to be transcribed. */
  audio(piece: AudioPiece): void;
}

/** Rejects with `failure(…)`; any other error of a parser becomes `extraction_failed`. */
export type Extract = (content: Content, sink: Sink) => Promise<void>;
