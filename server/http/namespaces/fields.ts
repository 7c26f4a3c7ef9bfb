// The fields of the namespace API, with the limits of the operations that they are handed to.
import { z } from 'zod';
import { addInput } from '../../../tools/documents/schemas/inputs.ts';
import { type Metadata, metadata } from '../../../tools/shared/metadata.ts';
import { wholeNumberField } from '../../../tools/shared/primitives.ts';
import { containerTag } from '../../../tools/shared/tags.ts';

const sent = addInput.in.shape;

export const namespace = containerTag;

/** The fields of a document beside its content, for texts. */
export const contextFields = {
  supportingContext: sent.entityContext,
  metadata: sent.metadata,
  group: metadata.optional(),
  date: sent.documentDate,
  taskType: sent.taskType,
  dreaming: sent.dreaming,
};

interface Grouped {
  metadata?: Metadata | undefined;
  group?: Metadata | undefined;
}

/**
 * A group is metadata: it is stored with the document, so that filters find it, and only memories of the same group are
 * the context in which the document is read.
 */
export const joinGroup = <Fields extends Grouped>(
  { metadata: own, group, ...rest }: Fields,
  context: z.RefinementCtx,
) => {
  for (const [key, value] of Object.entries(group ?? {})) {
    if (own === undefined || !Object.hasOwn(own, key) || own[key] === value) continue;
    const message = 'must not differ from the same key of metadata: a group is stored in the metadata';
    context.addIssue({ code: 'custom', path: ['group', key], message });
  }
  return {
    ...rest,
    metadata: own === undefined && group === undefined ? undefined : { ...own, ...group },
    filterByMetadata: group,
  };
};

/** The date of content that has no field for it is stored where the date of a text is stored. */
export const withDate = (
  given: Metadata | undefined,
  documentDate: string | undefined,
): Metadata | undefined => (documentDate === undefined ? given : { ...given, documentDate });

export const pageInput = {
  page: wholeNumberField(1, 1_000_000).prefault(1),
  limit: wholeNumberField(1, 100).prefault(10),
};

/** A list in a query: repeated, or separated by commas. */
export const listInQuery = <Word extends string>(word: z.ZodType<Word, string>) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((one) => one.split(',')))
    .pipe(z.array(word))
    .optional();

/** The ids of a request. */
export const idsUpTo = (most: number) => z.array(z.string().min(1).max(255)).min(1).max(most);
