// Connections for the request side: reads here, writes on the writing thread.
import { reachOf } from '../../../core/scope.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { ConnectionStore } from '../ports/connections/connections.ts';
import {
  countItems,
  getConnection,
  listConnections,
  listItems,
  listRuns,
} from '../queries/connections/connections.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';

export const createConnectionStore = (db: Db, call: Call<WritingCommands>): ConnectionStore => ({
  list: (scope) => listConnections(db, reachOf(scope)),
  get: (scope, id) => getConnection(db, reachOf(scope), id),
  create: (scope, connection, note) => call('createConnection', reachOf(scope), connection, note),
  pause: (scope, id, note) => call('pauseConnection', reachOf(scope), id, note),
  resume: (scope, id, note) => call('resumeConnection', reachOf(scope), id, note),
  acceptRemovals: (scope, id, note) => call('acceptRemovals', reachOf(scope), id, note),
  want: (scope, id, trigger, note) => call('wantLook', reachOf(scope), { id, trigger }, note),
  change: (scope, id, change, note) => call('changeConnection', reachOf(scope), id, change, note),
  secrets: (scope, id) => call('readConnectionSecrets', reachOf(scope), id),
  renewSecrets: (scope, id, sealed) => call('renewConnectionSecrets', reachOf(scope), id, sealed),
  include: (scope, id, items, note) => call('includeItems', reachOf(scope), id, items, note),
  remove: (scope, id, keepDocuments, note) =>
    call('removeConnection', reachOf(scope), { id, keepDocuments }, note),
  runs: (scope, id, limit) => listRuns(db, reachOf(scope), id, limit),
  items: (scope, id, state, page) => listItems(db, reachOf(scope), id, { state, ...page }),
  counts: (scope, ids) => countItems(db, reachOf(scope), ids),
});
