// Webhooks of connections for the request side: found here, heard on the writing thread.
import { reachOf } from '../../../core/scope.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { HookStore } from '../ports/connections/hooks.ts';
import { findHook } from '../queries/connections/hooks.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';

export const createHookStore = (db: Db, call: Call<WritingCommands>): HookStore => ({
  find: (tokenHash) => findHook(db, tokenHash),
  secret: (tokenHash) => call('secretOfHook', tokenHash),
  heard: (delivery) => call('hearDelivery', delivery),
  replaceSecret: (tokenHash, sealed, replacement) =>
    call('replaceHookSecret', tokenHash, { sealed, replacement }),
  makeByHand: (scope, connection, hook, note) =>
    call('makeHookByHand', reachOf(scope), connection, hook, note),
  byHand: (scope, connection) => call('hookByHand', reachOf(scope), connection),
});
