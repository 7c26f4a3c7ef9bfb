// Container tags: the label that groups and isolates, in its singular and its plural spelling.
import { z } from 'zod';
import { clean, jsonOrUndefined } from './primitives.ts';

/** Words of the tag routes, and what no URL can address. Compared without case, as paths are. */
const reserved = new Set(['list', 'merge', '.', '..']);

export const maxTags = 100;

export const containerTag = z
  .string()
  .min(1)
  .max(100)
  .regex(clean, { error: 'must not contain control characters' })
  .refine((tag) => !reserved.has(tag.toLowerCase()), {
    error: 'is a word of the service itself; choose another tag',
  })
  .describe('A container tag: 1–100 characters, free-form, no control characters.');

export const containerTags = z.array(containerTag).max(maxTags);

/** The two spellings of a request; the plural keeps its order. */
export const tagFields = {
  containerTag: containerTag.optional().describe('The container tag: 1–100 characters, free-form.'),
  containerTags: containerTags
    .optional()
    .describe(`Several container tags, in order (at most ${maxTags}); joined with containerTag.`),
};

/** A comma list, or a JSON array as text for tags that hold a comma themselves. */
const splitTags = (text: string): unknown => {
  const parsed = text.startsWith('[') ? jsonOrUndefined(text) : undefined;
  return Array.isArray(parsed) ? parsed : text.split(',').filter((part) => part !== '');
};

const tagsInQuery = z
  .union([containerTags, z.string()])
  .transform((value) => (typeof value === 'string' ? splitTags(value) : value))
  .pipe(containerTags);

/** The same in a query, where a field may be repeated. */
export const tagQueryFields = {
  containerTag: z
    .union([containerTag, containerTags])
    .optional()
    .describe('The container tag; may be repeated.'),
  containerTags: tagsInQuery
    .optional()
    .describe('Several container tags: repeated, as a comma list, or as a JSON array in text.'),
};

interface TagSpellings {
  containerTag?: string | string[] | undefined;
  containerTags?: string[] | undefined;
}

type Joined<T extends TagSpellings> = Omit<T, keyof TagSpellings> & {
  /** In the order given, each once; undefined: none named. */
  tags: string[] | undefined;
};

/** Joins both spellings into `tags`. */
export const joinTags = <T extends TagSpellings>(input: T): Joined<T> => {
  const { containerTag: one = [], containerTags: many = [], ...rest } = input;
  const tags = [...new Set([one, many].flat())];
  return { ...rest, tags: tags.length === 0 ? undefined : tags };
};

/** For what is done under a tag and nowhere else; behind `joinTags`. */
export const tagsNeeded = <T extends { tags: string[] | undefined }>(
  input: T,
  context: z.RefinementCtx,
): Omit<T, 'tags'> & { tags: string[] } => {
  if (input.tags !== undefined) return { ...input, tags: input.tags };
  context.addIssue({
    code: 'custom',
    path: ['containerTag'],
    message: 'must be given: name a container tag',
  });
  return z.NEVER;
};
