// The fields that describe a piece of content, shared by adding, batches and updates.
import { z } from 'zod';
import { filterByMetadata, metadata } from './metadata.ts';
import { line } from './primitives.ts';

export const maxContentBytes = 10 * 1024 * 1024;

/** Segments of the document routes, and what no URL can address. Compared without case, as paths are. */
const reserved = new Set(['bulk', 'list', 'processing', 'batch', 'file', 'search', 'documents', '.', '..']);

/** UTF-16 units are at most three bytes each, so most texts need no counting. */
const fits = (text: string) =>
  text.length * 3 <= maxContentBytes || Buffer.byteLength(text) <= maxContentBytes;

export const content = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .refine((text) => /\S/.test(text), { error: 'must not be blank' })
  .refine(fits, { error: 'must be at most 10 MiB (10,485,760 bytes) as UTF-8; split it or upload a file' })
  .describe(
    'Any raw content: text, a conversation in any text form, JSON messages, HTML, Markdown, or one URL. At most 10 MiB.',
  );

export const customId = line(1, 255)
  .refine((id) => !reserved.has(id.toLowerCase()), {
    error: 'is a word of the service itself; choose another customId',
  })
  .describe(
    "The caller's own id: 1–255 characters, no control characters. The same customId is the same document.",
  );

/** An internal id or a customId, as paths and references carry it. */
export const reference = z.string().min(1).max(255).describe('The id or the customId of a document.');

export const entityContext = z
  .string()
  .max(1500)
  .describe('Guides what is drawn from the content; kept on the container tag. At most 1,500 characters.');

export const filepath = line(1, 1024).describe('A virtual path; a document with one is replaced as a whole.');

/** Where a filter takes a path. */
export const filepathFilter = line(1, 1024).describe('An exact path, or all below it when it ends with "/".');

export const taskType = z
  .enum(['memory', 'superrag'])
  .optional()
  .meta({ description: 'memory draws memories; superrag only makes it searchable.', default: 'memory' });

export const dreaming = z
  .enum(['dynamic', 'instant'])
  .optional()
  .meta({ description: 'When memories are drawn: grouped with others, or at once.', default: 'dynamic' });

/** What a document carries beside its content; a batch gives the same for all of its items. */
export const settings = {
  metadata: metadata.optional(),
  entityContext: entityContext.optional(),
  taskType,
  dreaming,
  filepath: filepath.optional(),
  filterByMetadata: filterByMetadata.optional(),
};
