// Inputs and outputs of the operations on profiles.
import { z } from 'zod';
import { searchMemoriesOutput } from '../../search/schemas/outputs.ts';
import { bucketsOutput } from '../../shared/buckets.ts';
import { filters } from '../../shared/filters.ts';
import { fraction } from '../../shared/primitives.ts';
import { containerTag, joinTags, tagFields, tagsNeeded } from '../../shared/tags.ts';

const sections = ['static', 'dynamic', 'buckets'] as const;

const oneTagFields = {
  containerTag: tagFields.containerTag.describe('The container tag of the profile. Exactly one is required.'),
  containerTags: tagFields.containerTags.describe('The same, as a list with one container tag.'),
};

/** A profile belongs to one tag; the plural field may name it too. */
const oneTag = <T extends { tags: string[] }>({ tags, ...input }: T, context: z.RefinementCtx) => {
  const [tag, ...others] = tags;
  if (tag !== undefined && others.length === 0) return { ...input, tag };
  context.addIssue({
    code: 'custom',
    path: ['containerTags'],
    message: 'must be exactly one container tag: each profile belongs to one',
  });
  return z.NEVER;
};

export const profileInput = z
  .object({
    ...oneTagFields,
    q: z
      .string()
      .min(1)
      .max(10_000)
      .refine((text) => /\S/.test(text), { error: 'must not be blank' })
      .optional()
      .describe(
        'A query. If it is given, the memories of the tag are searched and the answer has searchResults.',
      ),
    threshold: fraction.default(0.6).describe('The lowest similarity of a search result, 0–1.'),
    filters: filters.optional(),
    include: z
      .array(z.enum(sections))
      .optional()
      .transform((named) => (named === undefined || named.length === 0 ? [...sections] : [...new Set(named)]))
      .describe('The sections to return. Default: all.'),
    buckets: z
      .array(z.string().max(64))
      .max(100)
      .optional()
      .describe('The keys of the buckets to return. Default: all.'),
  })
  .transform(joinTags)
  .transform(tagsNeeded)
  .transform(oneTag);
export type ProfileInput = z.output<typeof profileInput>;

const lines = z.array(z.string());

export const profileOutput = z.object({
  profile: z
    .object({
      static: lines.optional().describe('Lasting facts; those with the most support come first.'),
      dynamic: lines
        .optional()
        .describe('Recent facts, newest first, each line as "[Recent] [YYYY-MM-DD] …".'),
      buckets: z
        .record(z.string(), lines)
        .optional()
        .describe('The facts of each bucket, newest first, each line as "[Recent] …".'),
    })
    .describe('A limited number of short lines for a prompt.'),
  searchResults: searchMemoriesOutput.optional().describe('The search results, if q was given.'),
});
export type ProfileOutput = z.input<typeof profileOutput>;

export const tagProfileInput = z.object({ containerTag });

export const tagProfileOutput = z.object({
  profile: z
    .object({
      static: lines.describe('Lasting facts.'),
      dynamic: lines.describe('Recent facts, newest first.'),
    })
    .describe('The profile, short enough for a prompt.'),
});
export type TagProfileOutput = z.input<typeof tagProfileOutput>;

export const bucketsInput = z.object(tagFields).transform(joinTags).transform(tagsNeeded).transform(oneTag);

export const bucketDefinitions = z.object({
  buckets: bucketsOutput.describe('The buckets of the organisation, then the buckets of the tag.'),
});
