// The rights of a member, and those of a key of the member: never more than either of them has.
import type { KeyRecord } from '../../../adapters/store/ports/keys.ts';
import type { MemberRecord, Principal, TeamRole } from '../../../core/principal.ts';

type Rights = Pick<Principal, 'permission' | 'tags' | 'writeTags' | 'role' | 'member' | 'inPerson'>;

/** The rights of a recognised key without its member; `grantId` if a program uses it. */
export type BareKey = Pick<KeyRecord, 'permission' | 'tags' | 'pluginId' | 'role'> & { grantId?: string };

const isBound = ({ tags, pluginId, grantId }: BareKey): boolean =>
  tags !== null || pluginId !== null || grantId !== undefined;

const sharedWith = (tags: readonly string[] | null, held: readonly string[]): string[] =>
  tags === null ? [...held] : tags.filter((tag) => held.includes(tag));

const contentRights = (
  key: BareKey,
  { tags: access }: MemberRecord,
): Pick<Rights, 'permission' | 'tags' | 'writeTags'> => {
  if (access === null) return { permission: key.permission, tags: key.tags };
  const tags = sharedWith(
    key.tags,
    access.map(({ containerTag }) => containerTag),
  );
  const written = access.filter(({ permission }) => permission === 'write');
  const writeTags = sharedWith(
    key.tags,
    written.map(({ containerTag }) => containerTag),
  );
  if (key.permission === 'read' || writeTags.length === 0) return { permission: 'read', tags };
  return { permission: 'write', tags, ...(writeTags.length < tags.length ? { writeTags } : {}) };
};

/** `owner`: the member whose key it is; null: it belongs to the organisation. */
export const rightsOf = (key: BareKey, owner: MemberRecord | null): Rights => {
  if (owner === null)
    return {
      ...{ permission: key.permission, tags: key.tags },
      role: isBound(key) ? 'member' : (key.role ?? 'owner'),
    };
  const inPerson = !isBound(key) && key.permission === 'write';
  return {
    ...contentRights(key, owner),
    role: isBound(key) ? 'member' : owner.role,
    member: { id: owner.id, name: owner.name },
    ...(inPerson ? { inPerson } : {}),
  };
};

const RANKS: Readonly<Record<TeamRole, number>> = { member: 0, admin: 1, owner: 2 };

export const isAbove = (role: TeamRole, other: TeamRole): boolean => RANKS[role] > RANKS[other];

/** The role of the one who would lose something if the key were taken away. */
export const roleBehind = (key: BareKey, owner: MemberRecord | null): TeamRole =>
  owner?.role ?? rightsOf(key, null).role;
