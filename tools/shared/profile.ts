// What the operations on profiles accept and answer.
import { z } from 'zod';
import { bucketsOutput } from './buckets.ts';
import { filters } from './filters.ts';
import { fraction } from './primitives.ts';
import { searchMemoriesOutput } from './search-outputs.ts';
import { containerTag, joinTags, tagFields, tagsNeeded } from './tags.ts';

const sections = ['static', 'dynamic', 'buckets'] as const;

const oneTagFields = {
  containerTag: tagFields.containerTag.describe(
    'Whose profile it is: one container tag, which must be named.',
  ),
  containerTags: tagFields.containerTags.describe('The same as a list of one.'),
};

/** A profile is of one tag; the plural spelling may name it as well. */
const oneTag = <T extends { tags: string[] }>({ tags, ...input }: T, context: z.RefinementCtx) => {
  const [tag, ...others] = tags;
  if (tag !== undefined && others.length === 0) return { ...input, tag };
  context.addIssue({
    code: 'custom',
    path: ['containerTags'],
    message: 'must name one container tag: a profile is of one',
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
      .describe('Also searches the memories of the tag for this and adds searchResults.'),
    threshold: fraction.default(0.6).describe('Search results below this similarity are left out, 0–1.'),
    filters: filters.optional(),
    include: z
      .array(z.enum(sections))
      .optional()
      .transform((named) => (named === undefined || named.length === 0 ? [...sections] : [...new Set(named)]))
      .describe('The sections to give; without it, all.'),
    buckets: z.array(z.string().max(64)).max(100).optional().describe('Only these buckets, by key.'),
  })
  .transform(joinTags)
  .transform(tagsNeeded)
  .transform(oneTag);
export type ProfileInput = z.output<typeof profileInput>;

const lines = z.array(z.string());

export const profileOutput = z.object({
  profile: z
    .object({
      static: lines.optional().describe('What lasts: the best supported first.'),
      dynamic: lines
        .optional()
        .describe('What is recent, the newest first, each line as "[Recent] [YYYY-MM-DD] …".'),
      buckets: z
        .record(z.string(), lines)
        .optional()
        .describe('What belongs to each topic, the newest first, each line as "[Recent] …".'),
    })
    .describe('Short lines, bounded in number, for a prompt.'),
  searchResults: searchMemoriesOutput.optional().describe('Present when q is given.'),
});
export type ProfileOutput = z.input<typeof profileOutput>;

export const tagProfileInput = z.object({ containerTag });

export const tagProfileOutput = z.object({
  profile: z
    .object({
      static: lines.describe('What lasts.'),
      dynamic: lines.describe('What is recent, the newest first.'),
    })
    .describe('The profile, short enough for a prompt.'),
});
export type TagProfileOutput = z.input<typeof tagProfileOutput>;

export const bucketsInput = z.object(tagFields).transform(joinTags).transform(tagsNeeded).transform(oneTag);

export const bucketDefinitions = z.object({
  buckets: bucketsOutput.describe("The organisation's buckets, then those of the tag."),
});
