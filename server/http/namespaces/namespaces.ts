// Namespaces themselves, which are container tags.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { pagination } from '../../../tools/memories/schemas/paging.ts';
import { operation } from '../../../tools/operation.ts';
import { time } from '../../../tools/shared/primitives.ts';
import { mergeTagsInput } from '../../../tools/tags/schemas/tags.ts';
import { badRequest } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { contextFields, namespace, pageInput } from './fields.ts';
import { forFullAccess, insideNamespace } from './row.ts';

const lifetime = z.object({ createdAt: time, updatedAt: time });

/** One page of a list that is read as a whole. */
export const pageFrom = <Item>(all: readonly Item[], { page, limit }: { page: number; limit: number }) => ({
  items: all.slice((page - 1) * limit, page * limit),
  pagination: {
    currentPage: page,
    limit,
    totalItems: all.length,
    totalPages: Math.ceil(all.length / limit),
  },
});

export const listNamespaces = operation({
  name: 'namespaces.listAll',
  summary: 'client.namespaces.list',
  rest: { method: 'GET', path: '/ns', status: 200 },
  permission: 'read',
  reaches: 'tags',
  tags: () => undefined,
  input: z.object({ ...pageInput, q: z.string().max(100).default('') }),
  output: z.object({
    namespaces: z.array(
      z.object({
        id: z.string(),
        namespace: z.string(),
        documentCount: z.int(),
        memoryCount: z.int(),
        description: z.string().nullable(),
        system: lifetime,
      }),
    ),
    pagination,
  }),
  async run(service, { q, ...page }, caller) {
    const wanted = q.toLowerCase();
    const all = (await service.tags.list(caller))
      .filter(({ containerTag }) => containerTag.toLowerCase().includes(wanted))
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
      .map(({ id, containerTag, documentCount, memoryCount, description, createdAt, updatedAt }) => ({
        ...{ id, namespace: containerTag, documentCount, memoryCount, description },
        system: { createdAt, updatedAt },
      }));
    const { items: namespaces, pagination: place } = pageFrom(all, page);
    return { namespaces, pagination: place };
  },
});

const details = z.object({
  namespace: z.string(),
  supportingContext: z.string().nullable(),
  system: lifetime,
});

const readNamespace = async (service: Service, caller: Caller, tag: string) => {
  const { containerTag, entityContext, createdAt, updatedAt } = await service.tags.get(caller, tag);
  return { namespace: containerTag, supportingContext: entityContext, system: { createdAt, updatedAt } };
};

export const getNamespace = insideNamespace({
  name: 'namespaces.get',
  summary: 'client.namespaces.get',
  rest: { method: 'GET', path: '/ns/{namespace}', status: 200 },
  permission: 'read',
  input: z.object({ namespace }),
  output: details,
  run: (service, { namespace: tag }, caller) => readNamespace(service, caller, tag),
});

export const updateNamespace = insideNamespace({
  name: 'namespaces.update',
  summary: 'client.namespaces.update',
  rest: { method: 'PATCH', path: '/ns/{namespace}', status: 200 },
  permission: 'write',
  audits: 'tag.change',
  input: z.object({ namespace, supportingContext: contextFields.supportingContext.nullable() }),
  output: details,
  async run(service, { namespace: tag, supportingContext }, caller) {
    const before = await readNamespace(service, caller, tag);
    if (supportingContext === undefined) return before;
    await service.tags.update(caller, { containerTag: tag, entityContext: supportingContext });
    return readNamespace(service, caller, tag);
  },
});

const count = z.int().min(0);

const deleted = z.object({
  status: z.literal('deleted'),
  namespace: z.string(),
  deletedDocumentsCount: count,
  deletedMemoriesCount: count,
});

const queued = z.object({
  status: z.literal('queued'),
  operationId: z.string(),
  namespace: z.string(),
  moveTo: z.string(),
});

export const deleteNamespace = forFullAccess({
  name: 'namespaces.delete',
  summary: 'client.namespaces.delete',
  rest: {
    method: 'DELETE',
    path: '/ns/{namespace}',
    status: 200,
    fields: 'query',
    isAccepted: (output) => queued.safeParse(output).success,
  },
  permission: 'write',
  audits: 'tag.delete',
  input: z.object({ namespace, moveTo: namespace.optional() }),
  output: z.union([deleted, queued]),
  async run(service, { namespace: tag, moveTo }, caller) {
    if (moveTo === undefined) {
      const { deletedDocumentsCount, deletedMemoriesCount } = await service.tags.remove(caller, tag);
      return { status: 'deleted' as const, namespace: tag, deletedDocumentsCount, deletedMemoriesCount };
    }
    if (moveTo === tag) throw badRequest('Invalid request: moveTo: must be another namespace.');
    const merge = mergeTagsInput.parse({ containerTags: [tag], targetContainerTag: moveTo });
    const { mergeId } = await service.tags.merge(caller, merge);
    return { status: 'queued' as const, operationId: mergeId, namespace: tag, moveTo };
  },
});
