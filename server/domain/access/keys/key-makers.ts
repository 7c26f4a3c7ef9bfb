// A key ends with the key that made it, and with the maker of that one: nothing that was passed on outlives its giver.
import type { KeyRecord, KeyWithMakers } from '../../../adapters/store/ports/keys.ts';
import type { MemberRecord } from '../../../core/principal.ts';

const isOn = ({ enabled, expiresAt }: KeyRecord, now: number): boolean =>
  enabled && (expiresAt === null || expiresAt > now);

/** False: a maker of this key is disabled, expired or gone. */
export const makersStand = ({ madeBy, makers }: KeyWithMakers, now: number): boolean => {
  const known = new Set(makers.map(({ id }) => id));
  const named = [madeBy, ...makers.map((maker) => maker.madeBy)];
  return named.every((id) => id === null || known.has(id)) && makers.every((maker) => isOn(maker, now));
};

/** False: the key belonged to a member who was removed. */
export const ownerStands = ({ ownerId, owner }: Pick<KeyWithMakers, 'ownerId' | 'owner'>): boolean =>
  ownerId === null || owner !== null;

export const isUsable = (key: KeyWithMakers, now: number): boolean =>
  isOn(key, now) && makersStand(key, now) && ownerStands(key);

/** The time at which the key or the first of its makers expires; null: none of them does. */
export const earliestEnd = ({ expiresAt, makers }: KeyWithMakers): number | null => {
  const ends = [expiresAt, ...makers.map((maker) => maker.expiresAt)].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
};

/** Every key with its makers and its owner, out of all keys and members. */
export const withMakers = (
  keys: readonly KeyRecord[],
  members: readonly MemberRecord[] = [],
): KeyWithMakers[] => {
  const owners = new Map(members.map((member) => [member.id, member]));
  const byId = new Map(keys.map((key) => [key.id, key]));
  const makersOf = (key: KeyRecord): KeyRecord[] => {
    const makers = new Set<KeyRecord>();
    for (
      let at = byId.get(key.madeBy ?? '');
      at !== undefined && !makers.has(at);
      at = byId.get(at.madeBy ?? '')
    )
      makers.add(at);
    return [...makers];
  };
  return keys.map((key) => ({
    ...key,
    makers: makersOf(key),
    owner: owners.get(key.ownerId ?? '') ?? null,
  }));
};
