// What an upload accepts: the fields of a document as the parts of a form write them.
import { z } from 'zod';
import { customId, dreaming, entityContext, filepath, taskType } from './content.ts';
import { receivedFile } from './files.ts';
import { filterByMetadata, metadata } from './metadata.ts';
import { isObject, jsonOrUndefined, line } from './primitives.ts';
import { containerTag, containerTags, joinTags } from './tags.ts';

/** Forms carry text: an object may be written as JSON, or as a part for each key (`metadata[key]`). */
const written = <Output>(schema: z.ZodType<Output, Record<string, unknown>>, description: string) =>
  z
    .unknown()
    .transform((given, context) => {
      const read = typeof given === 'string' ? jsonOrUndefined(given) : given;
      if (isObject(read)) return { ...read };
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    })
    .pipe(schema)
    .meta({
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: z.toJSONSchema(schema, { io: 'input' }),
      description,
    });

/** One tag; or several as a JSON array; or a part for each. A tag may hold a comma, so a comma separates nothing. */
const tagsInForm = z
  .union([z.array(z.string()), z.string()])
  .transform((given): unknown => {
    if (typeof given !== 'string') return given;
    const parsed = given.startsWith('[') ? jsonOrUndefined(given) : undefined;
    return Array.isArray(parsed) ? parsed : [given];
  })
  .pipe(containerTags)
  .describe(
    'A container tag, or several as a JSON array in text, or a part for each; joined with containerTag.',
  );

/** The published words; what a file is, its bytes decide. */
export const fileTypes = [
  'text',
  'pdf',
  'tweet',
  'google_doc',
  'google_slide',
  'google_sheet',
  'image',
  'video',
  'notion_doc',
  'webpage',
  'onedrive',
] as const;

const needsMimeType = new Set<string>(['image', 'video']);

export const uploadInput = z
  .object({
    file: receivedFile,
    containerTag: z
      .union([containerTag, containerTags])
      .optional()
      .meta({ type: 'string', description: 'The container tag: 1–100 characters, free-form.' }),
    containerTags: tagsInForm.optional(),
    customId: customId.optional(),
    metadata: written(
      metadata,
      'Flat key-value pairs, as a JSON object in text or as a part metadata[key] for each.',
    ).optional(),
    entityContext: entityContext.optional(),
    taskType,
    dreaming,
    filepath: filepath.optional(),
    filterByMetadata: written(
      filterByMetadata,
      'Limits which existing memories serve as context: a JSON object in text.',
    ).optional(),
    title: line(1, 1000).optional().describe('A title; without one it is taken from the file.'),
    fileType: z
      .enum(fileTypes)
      .optional()
      .describe(
        'What the document is called; text also has a text of any form read as plain text. What else it is, its bytes decide.',
      ),
    mimeType: line(1, 255)
      .optional()
      .describe('The media type, as in image/png; required when fileType is image or video.'),
  })
  .transform(joinTags)
  .refine((given) => !needsMimeType.has(given.fileType ?? '') || given.mimeType !== undefined, {
    path: ['mimeType'],
    error: 'must be given when fileType is image or video, as in image/png',
  });
export type UploadInput = z.output<typeof uploadInput>;
