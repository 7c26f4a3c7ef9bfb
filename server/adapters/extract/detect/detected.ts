// What content was found to be.
import type { ContentKind } from '../port.ts';

export interface Detected {
  readonly kind: ContentKind;
  readonly mimeType: string;
  /** Of what is text: decoded already. */
  readonly text?: string;
}

const MIME_TYPES: Readonly<Partial<Record<ContentKind, string>>> = {
  text: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  subtitles: 'text/vtt',
  code: 'text/plain',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
};

export const detected = (
  kind: ContentKind,
  mimeType = MIME_TYPES[kind] ?? 'application/octet-stream',
): Detected => ({
  kind,
  mimeType,
});
