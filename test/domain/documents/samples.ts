// Records and callers for the tests of this folder.
import type { DocumentRecord } from '../../../server/adapters/store/ports/documents.ts';
import type { Caller } from '../../../server/core/principal.ts';
import { Scope } from '../../../server/core/scope.ts';

/** A caller as the access rules would admit it; `reads` where the call names tags. */
export const callerOf = (
  tags: readonly string[] | null = null,
  reads: readonly string[] | null = tags,
): Caller => ({
  keyId: 'key',
  keyName: 'test',
  permission: 'write',
  tags,
  role: 'member',
  expiresAt: null,
  rateLimit: null,
  scope: Scope.mint(reads, tags),
});

export const recordOf = (more: Partial<DocumentRecord> = {}): DocumentRecord => ({
  n: 1,
  id: '1BQ8vWzUqTfGZ4kS9xNc7d',
  customId: 'mine',
  tags: ['sm_project_default', 'user_ada'],
  title: 'A title',
  titleOrigin: 'given',
  summary: null,
  summaryOrigin: null,
  type: 'text',
  connection: null,
  content: 'The whole text.',
  url: null,
  source: null,
  filepath: '/notes/a.md',
  taskType: 'memory',
  metadata: { kind: 'note' },
  step: 'done',
  revision: 1,
  progress: null,
  failure: null,
  memoryState: 'done',
  memoryFailure: null,
  tokens: { inputTokens: 0, outputTokens: 0 },
  chunks: 1,
  note: null,
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  updatedAt: Date.UTC(2026, 0, 2, 3, 4, 6),
  ...more,
});
