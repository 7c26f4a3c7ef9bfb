// Container tags: the label that groups and isolates, as a singular and a plural field.
import { z } from 'zod';
import { clean, jsonOrUndefined } from './primitives.ts';

/** Segments of the tag routes, and tags that no URL can address. Compared without case, like paths. */
const reserved = new Set(['list', 'merge', '.', '..']);

export const maxTags = 100;

export const containerTag = z
  .string()
  .min(1)
  .max(100)
  .regex(clean, { error: 'must not contain control characters' })
  .refine((tag) => !reserved.has(tag.toLowerCase()), {
    error: 'is a reserved word; choose another tag',
  })
  .describe('A container tag: 1–100 characters, free-form, no control characters.');

export const containerTags = z.array(containerTag).max(maxTags);

/** The singular and the plural field; the plural keeps its order. */
export const tagFields = {
  containerTag: containerTag.optional().describe('The container tag: 1–100 characters, free-form.'),
  containerTags: containerTags
    .optional()
    .describe(`Several container tags, in order (at most ${maxTags}). Combined with containerTag.`),
};

/** Tags separated by commas, or a JSON array as text for tags that contain a comma. */
const splitTags = (text: string): unknown => {
  const parsed = text.startsWith('[') ? jsonOrUndefined(text) : undefined;
  return Array.isArray(parsed) ? parsed : text.split(',').filter((part) => part !== '');
};

const tagsInQuery = z
  .union([containerTags, z.string()])
  .transform((value) => (typeof value === 'string' ? splitTags(value) : value))
  .pipe(containerTags);

/** The same as query parameters, which may be repeated. */
export const tagQueryFields = {
  containerTag: z
    .union([containerTag, containerTags])
    .optional()
    .describe('The container tag. The parameter may be repeated.'),
  containerTags: tagsInQuery
    .optional()
    .describe(
      'Several container tags. Repeat the parameter, separate them with commas, or send a JSON array.',
    ),
};

interface TagSpellings {
  containerTag?: string | string[] | undefined;
  containerTags?: string[] | undefined;
}

type Joined<T extends TagSpellings> = Omit<T, keyof TagSpellings> & {
  /** In the order of the request, each once; undefined if the request names none. */
  tags: string[] | undefined;
};

/** Joins both fields into `tags`. */
export const joinTags = <T extends TagSpellings>(input: T): Joined<T> => {
  const { containerTag: one = [], containerTags: many = [], ...rest } = input;
  const tags = [...new Set([one, many].flat())];
  return { ...rest, tags: tags.length === 0 ? undefined : tags };
};

/** For operations that require a container tag; runs after `joinTags`. */
export const tagsNeeded = <T extends { tags: string[] | undefined }>(
  input: T,
  context: z.RefinementCtx,
): Omit<T, 'tags'> & { tags: string[] } => {
  if (input.tags !== undefined) return { ...input, tags: input.tags };
  context.addIssue({
    code: 'custom',
    path: ['containerTag'],
    message: 'is required: give a container tag',
  });
  return z.NEVER;
};
