// Documents of one namespace: added, read, changed and deleted.

import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { reference } from '../../../tools/documents/schemas/content.ts';
import { type AddInput, addInput, maxBatch, updateInput } from '../../../tools/documents/schemas/inputs.ts';
import type { DocumentWithMemories } from '../../../tools/documents/schemas/outputs.ts';
import { addedText, addedTogether } from '../../../tools/shared/added.ts';
import { isJsonObject } from '../../../tools/shared/primitives.ts';
import type { Caller } from '../../core/principal.ts';
import { parseInput } from '../../lib/parse-input.ts';
import { documentAnswer, documentRef, toChunkAnswer, toDocumentRef, toMemoryAnswer } from './answers.ts';
import { contextFields, idsUpTo, joinGroup, listInQuery, namespace, withDate } from './fields.ts';
import { insideNamespace } from './row.ts';

const sent = addInput.in.shape;

const newDocument = z.object({ content: sent.content, id: sent.customId, ...contextFields });

const sentDocument = newDocument.transform(joinGroup);

const toAddInput = (
  { id, supportingContext, date, ...rest }: z.output<typeof sentDocument>,
  tag: string,
): AddInput => ({
  ...rest,
  tags: [tag],
  customId: id,
  entityContext: supportingContext,
  documentDate: date,
});

export const addToNamespace = insideNamespace({
  name: 'namespaces.add',
  summary: 'client.add',
  rest: { method: 'POST', path: '/ns/{namespace}/document', status: 200 },
  permission: 'write',
  input: newDocument.extend({ namespace }).transform(joinGroup),
  output: documentRef,
  adds: ({ content }) => addedText(content),
  run: async (service, { namespace: tag, ...document }, caller) =>
    toDocumentRef(service, caller, await service.documents.add(caller, toAddInput(document, tag))),
});

// --- several -----------------------------------------------------------------------------------------

const batchInput = z.object({
  namespace,
  documents: z.array(z.unknown()).min(1).max(maxBatch),
  taskType: sent.taskType,
  dreaming: sent.dreaming,
});

const batchItem = z.object({
  id: z.string(),
  status: z.enum([...documentRef.shape.status.options, 'error']),
  error: z.string().optional(),
  details: z.string().optional(),
  url: z.string().optional(),
});

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\/\S+$/i.test(value.trim());

const sentContent = (item: unknown): string =>
  isJsonObject(item) && typeof item.content === 'string' ? item.content : '';

/** A refused document is known by the id that it was sent with, or by its address. */
const sentNames = (item: unknown): { id: string; url?: string } => {
  const { id, content } = isJsonObject(item) ? item : {};
  return { id: typeof id === 'string' ? id : '', ...(isWebAddress(content) ? { url: content.trim() } : {}) };
};

export const addBatchToNamespace = insideNamespace({
  name: 'namespaces.documents.batchAdd',
  summary: 'client.documents.batch_add',
  rest: { method: 'POST', path: '/ns/{namespace}/document/batch', status: 200 },
  permission: 'write',
  input: batchInput,
  output: z.object({ results: z.array(batchItem), count: z.int(), failed: z.int() }),
  adds: ({ documents }) => addedTogether(documents.map((item) => addedText(sentContent(item)))),
  async run(service, { namespace: tag, documents, ...shared }, caller) {
    const items = documents.map((item) => {
      const read = parseInput(sentDocument, item);
      return read.success ? { value: toAddInput(read.data, tag) } : { issues: read.error.issues };
    });
    const added = await service.documents.addBatch(caller, { ...shared, tags: [tag], documents: items });
    const results = added.results.map((one, at) =>
      one.status === 'error' ? { ...one, ...sentNames(documents[at]) } : one,
    );
    const failed = results.filter((one) => one.status === 'error');
    const accepted = results.filter((one) => one.status !== 'error');
    return { results: [...accepted, ...failed], count: added.success, failed: added.failed };
  },
});

// --- one ---------------------------------------------------------------------------------------------

export const getFromNamespace = insideNamespace({
  name: 'namespaces.documents.get',
  summary: 'client.documents.get',
  rest: { method: 'GET', path: '/ns/{namespace}/document/{id}', status: 200 },
  permission: 'read',
  input: z.object({ namespace, id: reference, include: listInQuery(z.enum(['chunks', 'memories'])) }),
  output: documentAnswer,
  async run(service, { id, include = [] }, caller) {
    const document = await service.documents.get(caller, id);
    const read = include.includes('chunks') ? await service.documents.chunks(caller, document.id) : null;
    const { createdAt, updatedAt, dreamingStatus, step } = document;
    return {
      ...document,
      metadata: document.metadata ?? {},
      system: { status: step, dreamingStatus, createdAt, updatedAt },
      chunks: read?.chunks.map(toChunkAnswer),
      memories: include.includes('memories') ? (document.memories ?? []).map(toMemoryAnswer) : undefined,
    };
  },
});

/** Changes the fields beside the content; the context of a namespace is stored on its tag. */
export const changeContext = async (
  service: Service,
  caller: Caller,
  {
    namespace: containerTag,
    supportingContext,
  }: { namespace: string; supportingContext?: string | undefined },
): Promise<void> => {
  if (supportingContext === undefined) return;
  await service.tags.update(caller, { containerTag, entityContext: supportingContext });
};

export const updateInNamespace = insideNamespace({
  name: 'namespaces.documents.update',
  summary: 'client.documents.update',
  rest: { method: 'PATCH', path: '/ns/{namespace}/document/{id}', status: 200 },
  permission: 'write',
  input: z
    .object({ namespace, id: reference, content: updateInput.in.shape.content, ...contextFields })
    .transform(joinGroup),
  output: documentRef,
  async run(service, { namespace: tag, supportingContext, date, dreaming: _, ...patch }, caller) {
    const { id } = await service.documents.find(caller, patch.id);
    await changeContext(service, caller, { namespace: tag, supportingContext });
    const metadata = withDate(patch.metadata, date);
    const changed = await service.documents.update(caller, id, { ...patch, metadata, tags: undefined });
    return toDocumentRef(service, caller, changed);
  },
});

// --- deleted and counted -----------------------------------------------------------------------------

export const deleteFromNamespace = insideNamespace({
  name: 'namespaces.documents.delete',
  summary: 'client.documents.delete',
  rest: { method: 'DELETE', path: '/ns/{namespace}/document', status: 200, fields: 'body' },
  permission: 'write',
  audits: 'document.delete',
  input: z.object({ namespace, ids: idsUpTo(100) }),
  output: z.object({
    count: z.int(),
    errors: z.array(z.object({ id: z.string(), error: z.string() })),
  }),
  async run(service, { ids }, caller) {
    const removed = await service.documents.removeMany(caller, { ids, tags: undefined });
    return { count: removed.deletedCount, errors: removed.errors ?? [] };
  },
});

/** Counts the latest versions that are neither forgotten nor expired. */
export const liveMemoriesOf = ({ memoryEntries }: DocumentWithMemories): number =>
  memoryEntries.filter(({ isLatest, isForgotten }) => isLatest && !isForgotten).length;

export const countInNamespace = insideNamespace({
  name: 'namespaces.documents.memoryCounts',
  summary: 'client.content_management.post_ns_by_namespace_list_documents_memory_counts',
  rest: { method: 'POST', path: '/ns/{namespace}/list/documents/memory-counts', status: 200 },
  permission: 'read',
  input: z.object({ namespace, ids: idsUpTo(100) }),
  output: z.object({ counts: z.array(z.object({ id: z.string(), memoryCount: z.int() })) }),
  async run(service, { ids }, caller) {
    const [byId, byName] = await Promise.all([
      service.documents.byIds(caller, { by: 'id', ids, tags: undefined }),
      service.documents.byIds(caller, { by: 'customId', ids, tags: undefined }),
    ]);
    const found = new Map([
      ...byName.documents.map((one): [string, DocumentWithMemories] => [one.customId ?? one.id, one]),
      ...byId.documents.map((one): [string, DocumentWithMemories] => [one.id, one]),
    ]);
    const counts = [...new Set(ids)].flatMap((id) => {
      const document = found.get(id);
      return document === undefined ? [] : [{ id, memoryCount: liveMemoriesOf(document) }];
    });
    return { counts };
  },
});
