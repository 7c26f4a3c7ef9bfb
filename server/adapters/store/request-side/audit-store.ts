// The audit log for the request side: reads on a query worker, because it can be long; writes on the writing thread.
import type { Call } from '../../../lib/threads/rpc.ts';
import type { AuditKeeping, AuditStore } from '../ports/audit.ts';
import { chainEnd } from '../queries/audit/chain.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import type { Reader } from './reader.ts';

export const createAuditStore = (reader: Reader): AuditStore => ({
  list: (scope, query) => reader.at(scope, true)('listAudit', reader.bounds(scope), query),
  check: (scope, after) => reader.at(scope, true)('checkChain', reader.bounds(scope), after),
});

export const createAuditKeeping = (db: Db, call: Call<WritingCommands>): AuditKeeping => ({
  head: () => chainEnd(db),
  append: (note) => call('appendAudit', note),
  requestLog: (mode, note) => call('noteRequestLog', mode, note),
  prune: (pruning) => call('pruneAudit', pruning),
});
