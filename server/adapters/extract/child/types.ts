// The published type of a document that content of a kind makes.
import type { ContentKind, DocumentType } from '../port.ts';

const TYPES: Partial<Record<ContentKind, DocumentType>> = {
  pdf: 'pdf',
  html: 'webpage',
  image: 'image',
  audio: 'audio',
  video: 'video',
};

/** The published types know no office files of one's own: they are text. */
export const documentType = (kind: ContentKind): DocumentType => TYPES[kind] ?? 'text';
