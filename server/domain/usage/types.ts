// The words of the published API for operations, in usage and in the request log.
import type { UsageType } from '../../core/events.ts';

const OPERATIONS: Readonly<Record<Exclude<UsageType, 'request'>, readonly string[]>> = {
  add: [
    ...['documents.add', 'documents.batchAdd', 'documents.uploadFile', 'conversations.add', 'memories.add'],
    ...['namespaces.add', 'namespaces.documents.batchAdd', 'namespaces.documents.uploadFile'],
  ],
  search: ['search.documents'],
  search_v4: ['search.memories', 'namespaces.search'],
  update: [
    ...['documents.update', 'memories.updateMemory', 'namespaces.documents.update'],
    ...['namespaces.documents.replaceWithFile', 'namespaces.documents.updateFile'],
  ],
  delete: [
    ...['documents.delete', 'documents.deleteBulk', 'memories.forget', 'memories.forgetMatching'],
    ...['namespaces.documents.delete', 'namespaces.memories.forget', 'namespaces.memories.forgetMatching'],
  ],
};

const BY_OPERATION = new Map<string, UsageType>(
  Object.entries(OPERATIONS).flatMap(([type, names]) =>
    names.map((name) => [name, type as UsageType] as const),
  ),
);

export const usageTypeOf = (operation: string): UsageType => BY_OPERATION.get(operation) ?? 'request';

export const typedOperations: readonly string[] = [...BY_OPERATION.keys()];

export const SEARCHES: readonly UsageType[] = ['search', 'search_v4'];
