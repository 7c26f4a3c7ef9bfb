// Invitations. Only the hash of a link is stored; whoever holds the link can choose neither the address nor the role.
import { randomBytes } from 'node:crypto';
import type {
  InviteInput,
  InviteOutput,
  ListInvitesOutput,
  ResendInput,
} from '../../../tools/team/schemas/team.ts';
import type { NewMail } from '../../adapters/store/ports/team/mails.ts';
import type { InviteRecord } from '../../adapters/store/ports/team/team.ts';
import type { AuditDetails, AuditNote } from '../../core/audit.ts';
import { auditNote } from '../../core/audit-note.ts';
import { conflict } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { sha256 } from '../../lib/hash.ts';
import { newId } from '../../lib/ids.ts';
import { DAY_MS } from '../../lib/text/dates/calendar.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import type { TeamContext } from './context.ts';
import { presentInvite } from './present.ts';
import { checkMayGive, isMember, limitedManager, noSuchInvite, notPending } from './refusals.ts';

const VALID_MS = 7 * DAY_MS;

export interface Invitations {
  invite(request: InviteInput, caller: Principal): Promise<InviteOutput>;
  list(): Promise<ListInvitesOutput>;
  resend(request: ResendInput, caller: Principal): Promise<InviteOutput>;
  cancel(id: string, caller: Principal): Promise<void>;
}

const tooManyInvites = () =>
  conflict(
    '100 invitations wait for an answer already. Cancel some of them, or wait until they are answered.',
  );

interface Link {
  readonly tokenHash: string;
  readonly url: string;
  readonly expiresAt: number;
}

const newLink = ({ base, now }: TeamContext): Link => {
  const token = randomBytes(32).toString('base64url');
  return {
    tokenHash: sha256(token),
    url: `${base()}/console/join?token=${token}`,
    expiresAt: now() + VALID_MS,
  };
};

const inviteMail = (
  { outbox }: TeamContext,
  { email, role, inviterName }: Pick<InviteRecord, 'email' | 'role' | 'inviterName'>,
  { url, expiresAt }: Link,
): NewMail | null => outbox.mail('invitation', email, { role, inviterName, link: url, expiresAt });

const inviteAnswer = (
  { email, role, id, expiresAt }: InviteRecord,
  { url }: Link,
  mail: NewMail | null,
): InviteOutput => ({
  ...{ success: true, email, role, id, expiresAt: isoTime(expiresAt) },
  ...(mail === null ? { delivery: 'none', link: url } : { delivery: 'queued' }),
});

const inviterOf = ({ member, keyName }: Principal) => ({
  inviterId: member?.id ?? null,
  inviterName: member?.name ?? keyName,
});

/** The address stays out of the audit log, which nothing is ever deleted from. */
const inviteNote = (caller: Principal, id: string, details: AuditDetails): AuditNote | null =>
  auditNote(caller, { target: { kind: 'invitation', id }, details });

const storeInvite = async (
  context: TeamContext,
  { email, role, containerTags = null }: InviteInput,
  caller: Principal,
): Promise<InviteOutput> => {
  const { store, outbox, now, log } = context;
  if (role !== 'member' && containerTags !== null) throw limitedManager(role);
  const link = newLink(context);
  const inviter = inviterOf(caller);
  const id = newId();
  const mail = inviteMail(context, { email, role, inviterName: inviter.inviterName }, link);
  const created = await store.invites.create(
    {
      ...{ id, email, role, tags: containerTags, tokenHash: link.tokenHash, ...inviter },
      ...{ invitedAt: now(), expiresAt: link.expiresAt, status: 'pending', acceptedAt: null },
      mailed: mail !== null,
    },
    mail,
    inviteNote(caller, id, { role }),
  );
  if (created.outcome !== 'created') throw created.outcome === 'member' ? isMember(email) : tooManyInvites();
  if (mail !== null) outbox.stored();
  log.info({ inviteId: created.invite.id, role, by: caller.keyId }, 'Somebody was invited.');
  return inviteAnswer(created.invite, link, mail);
};

const renewLink = async (
  context: TeamContext,
  { id, showLink }: ResendInput,
  caller: Principal,
): Promise<InviteOutput> => {
  const { store, outbox, log } = context;
  const former = await store.invites.byId(id);
  if (former === null) throw noSuchInvite();
  checkMayGive(caller, former.role);
  const link = newLink(context);
  const mail = showLink ? null : inviteMail(context, former, link);
  const { tokenHash, expiresAt } = link;
  const renewed = await store.invites.renew(
    id,
    { tokenHash, expiresAt, mailed: mail !== null },
    mail,
    inviteNote(caller, id, { again: true }),
  );
  if (renewed === null) throw notPending();
  if (mail !== null) outbox.stored();
  log.info({ inviteId: id, by: caller.keyId }, 'An invitation was sent again.');
  return inviteAnswer(renewed, link, mail);
};

export const createInvitations = (context: TeamContext): Invitations => {
  const { store, now, log } = context;
  return {
    invite: (request, caller) => storeInvite(context, request, caller),
    list: async () => ({
      invitations: (await store.invites.list()).map((each) => presentInvite(each, now())),
    }),
    resend: (request, caller) => renewLink(context, request, caller),
    async cancel(id, caller) {
      if ((await store.invites.byId(id)) === null) throw noSuchInvite();
      if (!(await store.invites.cancel(id, inviteNote(caller, id, { canceled: true })))) throw notPending();
      log.info({ inviteId: id, by: caller.keyId }, 'An invitation was canceled.');
    },
  };
};
