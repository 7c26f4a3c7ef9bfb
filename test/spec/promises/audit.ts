// Promises about the audit log.
import type { PromiseRow } from '../promise.ts';

export const audit = [
  {
    id: 'audit:change:row',
    source: 'ours',
    says: 'Every change of keys, grants, settings, tags, connections and models, and every deletion of documents and forgetting of memories, leaves exactly one row in the audit log: who made it, how, when and on what. A change that fails leaves none, and a change whose row cannot be written fails.',
    ways: ['rest'],
  },
  {
    id: 'audit:row:no-content',
    source: 'ours',
    says: 'The audit log holds names of changed fields, ids and numbers; no values of settings, no texts and no secrets.',
    ways: ['rest'],
  },
  {
    id: 'audit:list:query',
    source: 'ours',
    says: 'GET /v3/audit lists the rows newest first, narrowed by from, to, actor, action and target, in pages of at most 100; with after the rows come oldest first. It needs a key with full access.',
    ways: ['rest'],
  },
  {
    id: 'audit:verify:names-row',
    source: 'ours',
    says: 'GET /v3/audit/verify and memoir audit verify name the first row of the audit log that was changed, left out or put in.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
