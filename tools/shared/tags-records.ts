// Container tags as records: what is asked and answered.
import { z } from 'zod';
import { bucketsOutput, profileBuckets } from './buckets.ts';
import { line, time } from './primitives.ts';
import { containerTag, containerTags } from './tags.ts';
import { usage } from './usage.ts';

export const tagReference = z.object({ containerTag });

const path = z.string().min(1).max(1024);

export const updateTagInput = z.object({
  containerTag,
  name: line(1, 100).optional().describe('A name to show, 1–100 characters; the tag itself stays.'),
  entityContext: z
    .string()
    .max(1500)
    .nullable()
    .optional()
    .describe(
      'What or whom the tag is about, up to 1,500 characters; guides what is drawn. Null takes it away.',
    ),
  memoryFilesystemPaths: z
    .array(path)
    .max(100)
    .nullable()
    .optional()
    .describe(
      'Paths (exact, or all below when ending with "/") whose documents are read for memories; documents with another filepath are only searched. Null: all are read.',
    ),
  profileBuckets: profileBuckets
    .optional()
    .describe("The tag's own profile buckets, added to the organisation's; replaces the whole list."),
});
export type UpdateTagInput = z.output<typeof updateTagInput>;

const tag = z.string().describe('The container tag.');

const described = {
  containerTag: tag,
  name: z.string().nullable().describe('The name to show.'),
  entityContext: z.string().nullable().describe('What or whom the tag is about.'),
  memoryFilesystemPaths: z
    .array(z.string())
    .nullable()
    .describe('Paths whose documents are read for memories; null: all.'),
  profileBuckets: bucketsOutput.describe("The tag's own profile buckets."),
  updatedAt: time.describe('When the record was last changed.'),
};

export const tagUpdated = z.object(described);
export type TagUpdated = z.input<typeof tagUpdated>;

export const tagOutput = z.object({
  ...described,
  createdAt: time.describe('When the tag was first used.'),
  usage: usage.describe(
    'What language models took to draw memories from what carries the tag, and to summarise its profile; ever.',
  ),
});
export type TagOutput = z.input<typeof tagOutput>;

const count = z.int().min(0);

export const tagListOutput = z.array(
  z
    .object({
      id: z.string().describe('An id that stays the same for the same tag.'),
      name: z.string().describe('The name to show; without one, the tag.'),
      containerTag: tag,
      description: z.string().nullable().describe('Always null.'),
      createdAt: time.describe('When the tag was first used.'),
      updatedAt: time.describe('When its record was last changed.'),
      isExperimental: z.boolean().describe('Always false.'),
      isNova: z.boolean().describe('Whether the tag begins with sm_project_.'),
      documentCount: count.describe('Documents that carry it.'),
      memoryCount: count.describe('Memories under it: latest, neither forgotten nor expired.'),
      lastActivityAt: time
        .nullable()
        .describe('When something under it last changed; null: nothing is there.'),
      mergeStatus: z.enum(['source', 'target']).optional().describe('Its part in a merge that goes on.'),
      mergeId: z.string().optional().describe('The merge that goes on.'),
      mergeTargetTag: z.string().optional().describe('The tag that remains after it.'),
    })
    .meta({ id: 'ContainerTag', description: 'A container tag with what is under it.' }),
);
export type TagListOutput = z.input<typeof tagListOutput>;

export const tagDeleted = z.object({
  success: z.boolean().describe('True.'),
  containerTag: tag,
  deletedDocumentsCount: count.describe('Documents that had only this tag, and are gone.'),
  deletedMemoriesCount: count.describe('Live memories that only those documents supported, and are gone.'),
});
export type TagDeleted = z.input<typeof tagDeleted>;

export const mergeTagsInput = z
  .object({
    containerTags: containerTags
      .min(1)
      .describe('The container tags to merge; the target may stand among them.'),
    targetContainerTag: containerTag,
  })
  .transform(({ containerTags: all, targetContainerTag: target }) => ({
    target,
    sources: [...new Set(all)].filter((each) => each !== target),
  }))
  .refine(({ sources }) => sources.length > 0, {
    path: ['containerTags'],
    error: 'must name a tag other than the target',
  });
export type MergeTagsInput = z.output<typeof mergeTagsInput>;

const target = z.string().describe('The tag that everything carries afterwards.');
const sources = z.array(z.string()).describe('The tags that are gone afterwards.');

export const mergeAccepted = z.object({
  success: z.boolean().describe('True.'),
  status: z.literal('queued').describe('It goes on in the background.'),
  mergeId: z.string().describe('What to ask for its state by.'),
  targetTag: target,
  sourceTags: sources,
});
export type MergeAccepted = z.input<typeof mergeAccepted>;

export const mergeReference = z.object({
  mergeId: z.string().min(1).max(255).describe('The mergeId that starting it answered.'),
});

export const mergeState = z.object({
  id: z.string().describe('The id of the merge.'),
  status: z.enum(['queued', 'processing', 'completed']).describe('How far it is.'),
  targetTag: target,
  sourceTags: sources,
  mergedCount: count.describe('Documents that were moved.'),
  customIdsDropped: count.describe(
    'Of those, the ones that gave up their customId because a document of the target has the same.',
  ),
  createdAt: time.describe('When it was asked for.'),
  updatedAt: time.describe('When it last moved something.'),
});
export type MergeState = z.input<typeof mergeState>;
