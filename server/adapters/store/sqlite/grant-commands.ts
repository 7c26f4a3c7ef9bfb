// The writes about grants and tokens, by name, for the writing thread; and the store that sends them there.
import type { Calls, Handlers } from '../../../lib/rpc.ts';
import type { GrantRecord, GrantStore, TokenRecord } from '../grant-port.ts';
import {
  consumeToken,
  createGrant,
  dropToken,
  dropTokensOfGrant,
  grantById,
  keepToken,
  listGrants,
  revokeGrant,
  tokenBy,
  touchGrants,
} from '../queries/grants.ts';
import type { Db } from '../tables.ts';
import type { Writer } from './writer.ts';

export const createGrantCommands = (writer: Writer, now: () => number): Handlers => ({
  createGrant: (grant: GrantRecord) => writer.write((tx) => createGrant(tx, grant)),
  revokeGrant: (id: string) => writer.write((tx) => revokeGrant(tx, id)),
  touchGrants: (uses: { id: string; at: number }[]) => writer.write((tx) => touchGrants(tx, uses)),
  keepToken: (token: Omit<TokenRecord, 'consumedAt'>) => writer.write((tx) => keepToken(tx, token, now())),
  consumeToken: (kind: string, hash: string) => writer.write((tx) => consumeToken(tx, kind, hash, now())),
  dropToken: (kind: string, hash: string) => writer.write((tx) => dropToken(tx, kind, hash)),
  dropTokensOfGrant: (kind: string, grantId: string) =>
    writer.write((tx) => dropTokensOfGrant(tx, kind, grantId)),
});

export const createGrantStore = (db: Db, call: Calls['call']): GrantStore => ({
  list: () => listGrants(db),
  byId: (id) => grantById(db, id),
  create: (grant) => call('createGrant', grant),
  revoke: (id) => call('revokeGrant', id),
  touch: (uses) => call('touchGrants', uses),
  tokens: {
    find: (kind, hash) => tokenBy(db, kind, 'hash', hash),
    findByUid: (kind, uid) => tokenBy(db, kind, 'uid', uid),
    keep: (token) => call('keepToken', token),
    consume: (kind, hash) => call('consumeToken', kind, hash),
    drop: (kind, hash) => call('dropToken', kind, hash),
    dropOfGrant: (kind, grantId) => call('dropTokensOfGrant', kind, grantId),
  },
});
