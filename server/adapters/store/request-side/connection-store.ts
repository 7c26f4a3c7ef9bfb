// Connections for the request side: reads here, writes on the writing thread.
import { reachOf } from '../../../core/scope.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { ConnectionStore } from '../ports/connections.ts';
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
  create: (scope, connection) => call('createConnection', reachOf(scope), connection),
  pause: (scope, id) => call('pauseConnection', reachOf(scope), id),
  resume: (scope, id) => call('resumeConnection', reachOf(scope), id),
  acceptRemovals: (scope, id) => call('acceptRemovals', reachOf(scope), id),
  want: (scope, id, trigger) => call('wantLook', reachOf(scope), { id, trigger }),
  change: (scope, id, change) => call('changeConnection', reachOf(scope), id, change),
  signedIn: (scope, id, signedIn) => call('signedIn', reachOf(scope), id, signedIn),
  secrets: (scope, id) => call('readConnectionSecrets', reachOf(scope), id),
  renewSecrets: (scope, id, sealed) => call('renewConnectionSecrets', reachOf(scope), id, sealed),
  include: (scope, id, items) => call('includeItems', reachOf(scope), id, items),
  remove: (scope, id, keepDocuments) => call('removeConnection', reachOf(scope), id, keepDocuments),
  runs: (scope, id, limit) => listRuns(db, reachOf(scope), id, limit),
  items: (scope, id, state, page) => listItems(db, reachOf(scope), id, { state, ...page }),
  count: (scope, id) => countItems(db, reachOf(scope), id),
});
