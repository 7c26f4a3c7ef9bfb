// The parts and passages of a document's text, kept so that its content need not be extracted again.
import type { Metadata } from '../metadata.ts';

/** A part of content of several kinds; a blank line separates two parts. */
export interface PartSize {
  /** `read`: the text of a file or an address. */
  kind: 'html' | 'text' | 'read';
  length: number;
  /** Only for a `read` part. */
  reading?: Reading;
}

/** Facts about a file or a web page beside its text, so that it can be cut again without another extraction. */
export interface Reading {
  from: 'file' | 'web';
  /** For a document that is made from a file or page. */
  type: string;
  /** The kind of the bytes, in the extractor's words. */
  kind: string;
  form: 'prose' | 'markdown' | 'lines';
  mimeType?: string;
  title?: string;
  /** Its name at its origin; for content without a title. */
  name?: string;
  /** The time of its publication, in milliseconds. */
  date?: number;
  /** A note to the owner about text that was left out. */
  note?: string;
  /** Noted in the metadata of the document. */
  facts: Metadata;
  passages: readonly PassageSize[];
}

/** A passage with its own position. */
export interface PassageSize {
  length: number;
  /** True if it directly follows the passage before. */
  continues?: true;
  /** Page, slide, sheet and row, times. */
  place?: Metadata;
  /** Outermost first. */
  heading?: string;
  speaker?: string;
  /** The time at which it was said, in milliseconds. */
  at?: number;
}
