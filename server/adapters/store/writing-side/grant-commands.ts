// The writes about grants and tokens, by name, for the writing thread.
import type { AuditNote } from '../../../core/audit.ts';
import type { Writer } from '../engine/writer.ts';
import type { GrantRecord, TokenRecord } from '../ports/grants.ts';
import type { NewMail } from '../ports/team/mails.ts';
import {
  consumeToken,
  createGrant,
  dropToken,
  dropTokensOfGrant,
  keepToken,
  revokeGrant,
  touchGrants,
} from '../queries/access/grants.ts';
import { queueIfAny } from '../queries/team/mails.ts';
import { type Audited, ifDone } from './audited.ts';

export const createGrantCommands = (writer: Writer, now: () => number, audited: Audited) => ({
  createGrant: (grant: GrantRecord, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => createGrant(tx, grant)),
      'access',
    ),
  revokeGrant: (id: string, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => revokeGrant(tx, id), ifDone),
      'access',
    ),
  touchGrants: (uses: readonly { id: string; at: number }[]) =>
    writer.together((tx) => touchGrants(tx, uses)),
  keepToken: (token: Omit<TokenRecord, 'consumedAt'>, mail: NewMail | null) =>
    writer.write(async (tx) => {
      await keepToken(tx, token, now());
      await queueIfAny(tx, mail, now());
    }, 'access'),
  consumeToken: (kind: string, hash: string) =>
    writer.write((tx) => consumeToken(tx, kind, hash, now()), 'access'),
  dropToken: (kind: string, hash: string) => writer.write((tx) => dropToken(tx, kind, hash), 'access'),
  dropTokensOfGrant: (kind: string, grantId: string) =>
    writer.write((tx) => dropTokensOfGrant(tx, kind, grantId), 'access'),
});
