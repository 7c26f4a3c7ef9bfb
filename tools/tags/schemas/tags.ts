// Inputs and outputs of the operations on container tags.
import { z } from 'zod';
import { changedQuotas, quotaChanges } from '../../quotas/schemas/quotas.ts';
import { bucketsOutput, profileBuckets } from '../../shared/buckets.ts';
import { singleLine, time } from '../../shared/primitives.ts';
import { containerTag, containerTags } from '../../shared/tags.ts';
import { usage } from '../../shared/usage.ts';

export const tagReference = z.object({ containerTag });

const path = z.string().min(1).max(1024);

export const updateTagInput = z.object({
  containerTag,
  name: singleLine(1, 100)
    .optional()
    .describe('The display name, 1–100 characters; the tag itself does not change.'),
  entityContext: z
    .string()
    .max(1500)
    .nullable()
    .optional()
    .describe(
      'A description of the person or thing that the tag stands for, up to 1,500 characters. It guides which memories are drawn. Null removes it.',
    ),
  memoryFilesystemPaths: z
    .array(path)
    .max(100)
    .nullable()
    .optional()
    .describe(
      'Memories are drawn only from documents with one of these paths (exact, or a folder that ends with "/"). Documents with another filepath are only searchable. Null: memories are drawn from all documents.',
    ),
  profileBuckets: profileBuckets
    .optional()
    .describe(
      'The profile buckets of the tag, in addition to those of the organisation. Replaces the whole list.',
    ),
  quotas: quotaChanges.optional(),
});
export type UpdateTagInput = z.output<typeof updateTagInput>;

const tag = z.string().describe('The container tag.');

const described = {
  containerTag: tag,
  name: z.string().nullable().describe('The display name.'),
  entityContext: z
    .string()
    .nullable()
    .describe('The description of the person or thing that the tag stands for.'),
  memoryFilesystemPaths: z
    .array(z.string())
    .nullable()
    .describe('Memories are drawn only from documents with these paths; null: from all documents.'),
  profileBuckets: bucketsOutput.describe('The profile buckets of the tag.'),
  updatedAt: time.describe('The time of the last change of the record.'),
};

export const tagUpdated = z.object({ ...described, quotas: changedQuotas });
export type TagUpdated = z.input<typeof tagUpdated>;

export const tagOutput = z.object({
  ...described,
  createdAt: time.describe('The time of the first use of the tag.'),
  usage: usage.describe(
    'All tokens that language models have used to draw memories from documents with the tag, and to summarise its profile.',
  ),
});
export type TagOutput = z.input<typeof tagOutput>;

const count = z.int().min(0);

export const tagListOutput = z.array(
  z
    .object({
      id: z.string().describe('An id that stays the same for the same tag.'),
      name: z.string().describe('The display name. Default: the tag.'),
      containerTag: tag,
      description: z.string().nullable().describe('Always null.'),
      createdAt: time.describe('The time of the first use of the tag.'),
      updatedAt: time.describe('The time of the last change of the record.'),
      isExperimental: z.boolean().describe('Always false.'),
      isNova: z.boolean().describe('True if the tag begins with sm_project_.'),
      documentCount: count.describe('The number of documents with the tag.'),
      memoryCount: count.describe(
        'The number of latest memories under the tag that are not forgotten or expired.',
      ),
      lastActivityAt: time
        .nullable()
        .describe('The time of the last change under the tag; null: the tag is empty.'),
      mergeStatus: z
        .enum(['source', 'target'])
        .optional()
        .describe('The role of the tag in a running merge.'),
      mergeId: z.string().optional().describe('The id of the running merge.'),
      mergeTargetTag: z.string().optional().describe('The tag that remains after the merge.'),
    })
    .meta({
      id: 'ContainerTag',
      description: 'A container tag, with the numbers of its documents and memories.',
    }),
);
export type TagListOutput = z.input<typeof tagListOutput>;

export const tagDeleted = z.object({
  success: z.boolean().describe('True.'),
  containerTag: tag,
  deletedDocumentsCount: count.describe('The number of deleted documents: those that had only this tag.'),
  deletedMemoriesCount: count.describe(
    'The number of deleted memories: those that only these documents supported. Forgotten and expired memories are not counted.',
  ),
});
export type TagDeleted = z.input<typeof tagDeleted>;

export const mergeTagsInput = z
  .object({
    containerTags: containerTags
      .min(1)
      .describe('The container tags to merge; the list may include the target.'),
    targetContainerTag: containerTag,
  })
  .transform(({ containerTags: all, targetContainerTag: target }) => ({
    target,
    sources: [...new Set(all)].filter((each) => each !== target),
  }))
  .refine(({ sources }) => sources.length > 0, {
    path: ['containerTags'],
    error: 'must contain a tag other than the target',
  });
export type MergeTagsInput = z.output<typeof mergeTagsInput>;

const target = z.string().describe('The tag that remains after the merge.');
const sources = z.array(z.string()).describe('The tags that the merge removes.');

export const mergeAccepted = z.object({
  success: z.boolean().describe('True.'),
  status: z.literal('queued').describe('The merge runs in the background.'),
  mergeId: z.string().describe('The id of the merge; use it to read its state.'),
  targetTag: target,
  sourceTags: sources,
});
export type MergeAccepted = z.input<typeof mergeAccepted>;

export const mergeReference = z.object({
  mergeId: z.string().min(1).max(255).describe('The mergeId that the start of the merge returned.'),
});

export const mergeState = z.object({
  id: z.string().describe('The id of the merge.'),
  status: z.enum(['queued', 'processing', 'completed']).describe('The state of the merge.'),
  targetTag: target,
  sourceTags: sources,
  mergedCount: count.describe('The number of moved documents.'),
  customIdsDropped: count.describe(
    'The number of moved documents that lost their customId because a document of the target has the same one.',
  ),
  createdAt: time.describe('The time at which the merge was requested.'),
  updatedAt: time.describe('The time of the last moved document.'),
});
export type MergeState = z.input<typeof mergeState>;
