// Members of the organisation: adding, removing, roles and limits to container tags.
import type {
  AddMemberInput,
  AddMemberOutput,
  ListMembersOutput,
  RemoveMemberOutput,
  SetAccessOutput,
  SetRoleOutput,
} from '../../../tools/team/schemas/team.ts';
import type { AuditDetails } from '../../core/audit.ts';
import { auditNote } from '../../core/audit-note.ts';
import type { MemberRecord, Principal, TagAccess, TeamRole } from '../../core/principal.ts';
import { newId } from '../../lib/ids.ts';
import type { TeamContext } from './context.ts';
import { nameFromEmail, presentMember } from './present.ts';
import {
  addsByHand,
  checkMayChange,
  checkMayGive,
  lastOwner,
  limitedManager,
  noSuchMember,
} from './refusals.ts';

export interface Members {
  list(): Promise<ListMembersOutput>;
  add(request: AddMemberInput, caller: Principal): Promise<AddMemberOutput>;
  /** 404 or 403 unless the caller may change the member. */
  checkMayChange(id: string, caller: Principal): Promise<void>;
  remove(id: string, caller: Principal): Promise<RemoveMemberOutput>;
  setRole(change: { id: string; role: TeamRole }, caller: Principal): Promise<SetRoleOutput>;
  setAccess(
    change: { id: string; containerTags: TagAccess[] | null },
    caller: Principal,
  ): Promise<SetAccessOutput>;
}

const memberNote = (caller: Pick<Principal, 'audit'>, id: string, details: AuditDetails = {}) =>
  auditNote(caller, { target: { kind: 'member', id }, details });

const memberById = async ({ store }: TeamContext, id: string): Promise<MemberRecord> => {
  const member = await store.members.byId(id);
  if (member === null) throw noSuchMember();
  return member;
};

const storeRole = async (
  { store, access, log }: TeamContext,
  { id, role }: { id: string; role: TeamRole },
  caller: Pick<Principal, 'keyId' | 'audit'>,
  more: AuditDetails = {},
): Promise<void> => {
  const outcome = await store.members.setRole(id, role, memberNote(caller, id, { role, ...more }));
  access.memberChanged(id);
  if (outcome === 'lastOwner') throw lastOwner();
  if (outcome === 'missing') throw noSuchMember();
  log.info({ memberId: id, role, by: caller.keyId }, 'The role of a member was changed.');
};

const storeAccess = async (
  { store, access, log }: TeamContext,
  { id, containerTags }: { id: string; containerTags: TagAccess[] | null },
  caller: Pick<Principal, 'keyId' | 'audit'>,
): Promise<void> => {
  const note = memberNote(caller, id, { limited: containerTags !== null });
  const changed = await store.members.setAccess(id, containerTags, note);
  access.memberChanged(id);
  if (!changed) throw noSuchMember();
  log.info({ memberId: id, by: caller.keyId }, 'The container tags of a member were changed.');
};

/** For a member who lost every key. */
const addKeyOfMember = async (
  context: TeamContext,
  { email, role, containerTags = null }: AddMemberInput,
  caller: Principal,
): Promise<{ member: MemberRecord; key: string }> => {
  const { store, access } = context;
  const former = await store.members.byEmail(email);
  if (former === null) throw noSuchMember();
  const { key, record } = access.personalKey(former.id, 'Personal key');
  await storeRole(context, { id: former.id, role }, caller, { furtherKey: record.id });
  // None were given: those that the member has stay.
  if (containerTags !== null) await storeAccess(context, { id: former.id, containerTags }, caller);
  await store.members.giveKey(record);
  return { member: await memberById(context, former.id), key };
};

/** The member, new or with another role, and a key to sign in with. The address decides in the write, so it adds one once. */
const addByKey = async (
  context: TeamContext,
  request: AddMemberInput,
  caller: Principal,
): Promise<AddMemberOutput> => {
  const { email, name = nameFromEmail(email), role, containerTags = null } = request;
  const { store, access, now, log } = context;
  if (caller.member?.id !== undefined) throw addsByHand();
  if (role !== 'member' && containerTags !== null) throw limitedManager(role);
  const member: MemberRecord = {
    ...{ id: newId(), email, name, role, tags: containerTags, emailVerified: false },
    ...{ createdAt: now(), lastSeenAt: null },
  };
  const made = access.personalKey(member.id, 'Personal key');
  const note = memberNote(caller, member.id, { role });
  const isNew = await store.members.create(member, made.record, note);
  const added = isNew ? { member, key: made.key } : await addKeyOfMember(context, request, caller);
  const { id, name: known, tags } = added.member;
  log.info({ memberId: id, role, by: caller.keyId }, 'A member was added.');
  return { ...{ id, email, name: known, role, containerTags: tags, key: added.key }, existed: !isNew };
};

const removeWithAll = async (
  context: TeamContext,
  id: string,
  caller: Principal,
): Promise<RemoveMemberOutput> => {
  const { store, access, log } = context;
  const isSelf = caller.member?.id === id;
  // A member learns of no other member.
  if (caller.role === 'member' && !isSelf) throw noSuchMember();
  if (!isSelf) checkMayChange(caller, await memberById(context, id));
  const removed = await store.members.remove(id, memberNote(caller, id));
  access.memberChanged(id);
  if (removed.outcome !== 'removed') throw removed.outcome === 'missing' ? noSuchMember() : lastOwner();
  const { outcome: _, ...ended } = removed;
  log.info({ memberId: id, by: caller.keyId, ...ended }, 'A member was removed.');
  return { success: true, id, ended };
};

export const createMembers = (context: TeamContext): Members => {
  const { store } = context;
  return {
    list: async () => ({ members: (await store.members.list()).map(presentMember) }),
    add: (request, caller) => addByKey(context, request, caller),
    checkMayChange: async (id, caller) => checkMayChange(caller, await memberById(context, id)),
    remove: (id, caller) => removeWithAll(context, id, caller),
    async setRole(change, caller) {
      checkMayChange(caller, await memberById(context, change.id));
      checkMayGive(caller, change.role);
      await storeRole(context, change, caller);
      return { success: true, ...change };
    },
    async setAccess({ id, containerTags }, caller) {
      const member = await memberById(context, id);
      checkMayChange(caller, member);
      if (member.role !== 'member') throw limitedManager(member.role);
      await storeAccess(context, { id, containerTags }, caller);
      return { success: true, id, containerTags };
    },
  };
};
