// The fields that describe a piece of content, shared by adding, batches and updates.
import { z } from 'zod';
import { filterByMetadata, metadata } from '../../shared/metadata.ts';
import { holdsText, singleLine } from '../../shared/primitives.ts';

const maxContentBytes = 10 * 1024 * 1024;

/** Segments of the document routes, and ids that no URL can address. Compared without case, like paths. */
const reserved = new Set(['bulk', 'list', 'processing', 'batch', 'file', 'search', 'documents', '.', '..']);

/** UTF-16 units are at most three bytes each, so most texts need no counting. */
const fitsInContent = (text: string) =>
  text.length * 3 <= maxContentBytes || Buffer.byteLength(text) <= maxContentBytes;

export const content = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .refine(holdsText, { error: 'must not be blank' })
  .refine(fitsInContent, {
    error: 'must be at most 10 MiB (10,485,760 bytes) as UTF-8; split it or upload a file',
  })
  .describe(
    'Any raw content: text, a conversation in any text form, JSON messages, HTML, Markdown, or one URL. Control characters such as NUL are not stored. At most 10 MiB.',
  );

export const customId = singleLine(1, 255)
  .refine((id) => !reserved.has(id.toLowerCase()), {
    error: 'is a reserved word; choose another customId',
  })
  .describe(
    'Your own id for the document: 1–255 characters, no control characters. The same customId always refers to the same document.',
  );

/** An internal id or a customId, as paths and references carry it. */
export const reference = z.string().min(1).max(255).describe('The id or the customId of a document.');

export const entityContext = z
  .string()
  .max(1500)
  .describe(
    'Instructions for drawing memories from the content; stored on the container tag. At most 1,500 characters.',
  );

export const filepath = singleLine(1, 1024).describe(
  'A virtual path. If a document with a path is sent again, its content is replaced as a whole.',
);

/** A path in a filter. */
export const filepathFilter = singleLine(1, 1024).describe('An exact path, or a folder that ends with "/".');

export const taskType = z.enum(['memory', 'superrag']).optional().meta({
  description: 'memory: memories are drawn from the content; superrag: the content is only searchable.',
  default: 'memory',
});

export const dreaming = z.enum(['dynamic', 'instant']).optional().meta({
  description: 'dynamic: memories are drawn later, together with other documents; instant: at once.',
  default: 'dynamic',
});

/** Fields of a document in addition to its content; a batch sets them for all its items. */
export const settings = {
  metadata: metadata.optional(),
  entityContext: entityContext.optional(),
  taskType,
  dreaming,
  filepath: filepath.optional(),
  filterByMetadata: filterByMetadata.optional(),
};
