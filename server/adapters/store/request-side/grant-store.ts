// Grants and tokens for the request side: reads here, writes on the writing thread.
import type { Call } from '../../../lib/threads/rpc.ts';
import type { GrantStore } from '../ports/grants.ts';
import { grantById, listGrants, tokenBy } from '../queries/access/grants.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';

export const createGrantStore = (db: Db, call: Call<WritingCommands>): GrantStore => ({
  list: () => listGrants(db),
  byId: (id) => grantById(db, id),
  create: (grant, note) => call('createGrant', grant, note),
  revoke: (id, note) => call('revokeGrant', id, note),
  touch: (uses) => call('touchGrants', uses),
  tokens: {
    find: (kind, hash) => tokenBy(db, kind, 'hash', hash),
    findByUid: (kind, uid) => tokenBy(db, kind, 'uid', uid),
    keep: (token, mail = null) => call('keepToken', token, mail),
    consume: (kind, hash) => call('consumeToken', kind, hash),
    drop: (kind, hash) => call('dropToken', kind, hash),
    dropOfGrant: (kind, grantId) => call('dropTokensOfGrant', kind, grantId),
  },
});
