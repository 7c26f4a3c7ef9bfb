// Input of an upload: the fields of a document as parts of a form.
import { z } from 'zod';
import { filterByMetadata, metadata } from '../../shared/metadata.ts';
import { isJsonObject, jsonOrUndefined, singleLine } from '../../shared/primitives.ts';
import { containerTag, containerTags, joinTags } from '../../shared/tags.ts';
import { customId, dreaming, entityContext, filepath, taskType } from './content.ts';
import { lossOfJson, lossOfKeys } from './exact-json.ts';
import { facts } from './facts.ts';
import { receivedFile } from './file.ts';

/** The description of a part that is sent as JSON. */
const jsonPart = (schema: z.ZodType, description: string) => ({
  type: 'string' as const,
  contentMediaType: 'application/json',
  contentSchema: z.toJSONSchema(schema, { io: 'input' }),
  description,
});

/** Forms contain text: an object is sent as JSON, or as one part for each key (`metadata[key]`). */
const jsonField = <Output>(schema: z.ZodType<Output, Record<string, unknown>>, description: string) =>
  z
    .unknown()
    .transform((value, context) => {
      const parsed = typeof value === 'string' ? jsonOrUndefined(value) : value;
      if (!isJsonObject(parsed)) {
        context.addIssue({ code: 'custom', message: 'must be a JSON object' });
        return z.NEVER;
      }
      const loss = typeof value === 'string' ? lossOfJson(value) : lossOfKeys(parsed);
      if (loss === null) return { ...parsed };
      context.addIssue({ code: 'custom', path: [...loss.path], message: loss.message });
      return z.NEVER;
    })
    .pipe(schema)
    .meta(jsonPart(schema, description));

/** A list is sent as a JSON array, or as one part for each item. */
const jsonList = <Output>(schema: z.ZodType<Output, unknown[]>, description: string) =>
  z
    .unknown()
    .transform((value) => {
      const parsed = [value].flat().flatMap((one) => (typeof one === 'string' ? jsonOrUndefined(one) : one));
      return parsed as unknown[];
    })
    .pipe(schema)
    .meta(jsonPart(schema, description));

/** One tag, several as a JSON array, or one part for each. A tag may contain a comma, so commas do not separate tags. */
const tagsInForm = z
  .union([z.array(z.string()), z.string()])
  .transform((value): unknown => {
    if (typeof value !== 'string') return value;
    const parsed = value.startsWith('[') ? jsonOrUndefined(value) : undefined;
    return Array.isArray(parsed) ? parsed : [value];
  })
  .pipe(containerTags)
  .describe(
    'One container tag, or several: as a JSON array in text, or as one form part for each tag. Combined with containerTag.',
  );

/** The published types; the real type of a file is detected from its bytes. */
const fileTypes = [
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
    metadata: jsonField(
      metadata,
      'Flat key-value pairs: as a JSON object in text, or as one form part metadata[key] for each pair.',
    ).optional(),
    entityContext: entityContext.optional(),
    taskType,
    dreaming,
    filepath: filepath.optional(),
    filterByMetadata: jsonField(
      filterByMetadata,
      'Selects the existing memories that serve as context: a JSON object in text.',
    ).optional(),
    title: singleLine(1, 1000).optional().describe('The title. Default: taken from the file.'),
    facts: jsonList(
      facts,
      'Up to 20 statements that become the memories of the file, which is then not read for others: a JSON array in text.',
    ).optional(),
    fileType: z
      .enum(fileTypes)
      .optional()
      .describe(
        'The type that the document shows. With text, any text format is read as plain text. Otherwise the type is detected from the bytes.',
      ),
    mimeType: singleLine(1, 255)
      .optional()
      .describe('The media type, for example image/png; required if fileType is image or video.'),
  })
  .transform(joinTags)
  .refine(({ fileType, mimeType }) => !needsMimeType.has(fileType ?? '') || mimeType !== undefined, {
    path: ['mimeType'],
    error: 'is required if fileType is image or video; send for example image/png',
  });
export type UploadInput = z.output<typeof uploadInput>;
