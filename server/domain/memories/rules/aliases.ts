// Joins several keys of one person: "jim" is "anna.brother", "anna" is "user". Only unambiguous aliases count.
import type { Alias } from './language.ts';

/** Replaces the keys of one person by one key: in "jim/home" the part before the slash. */
export type Canonical = (slot: string) => string;

const DEEPEST = 3;

const uniqueAliases = (aliases: readonly Alias[]): Map<string, string> => {
  const names = Map.groupBy(aliases, ([, key]) => key);
  const keys = Map.groupBy(aliases, ([name]) => name);
  const isUnique = ([name, key]: Alias): boolean =>
    // A user may have several names; with two sisters, "the sister" is ambiguous.
    (key === 'user' || new Set(names.get(key)?.map(([one]) => one)).size === 1) &&
    new Set(keys.get(name)?.map(([, one]) => one)).size === 1 &&
    name !== key;
  return new Map(aliases.filter(isUnique));
};

/** `aliases` in any order; a name that could belong to two people is not joined. */
export const canonicalBy = (aliases: readonly Alias[]): Canonical => {
  const main = uniqueAliases(aliases);
  const canonicalKey = (key: string, depth = 0): string => {
    if (depth > DEEPEST) return key;
    const whole = main.get(key);
    if (whole !== undefined) return canonicalKey(whole, depth + 1);
    const dot = key.indexOf('.');
    const owner = dot < 0 ? undefined : main.get(key.slice(0, dot));
    return owner === undefined ? key : canonicalKey(owner + key.slice(dot), depth + 1);
  };
  return (slot) => {
    const stroke = slot.indexOf('/');
    return stroke < 0 ? canonicalKey(slot) : canonicalKey(slot.slice(0, stroke)) + slot.slice(stroke);
  };
};

/** The slot under the user's key if the name is known as the user's; else unchanged. */
export const underUser = (slot: string, aliases: readonly Alias[]): string => {
  const [head = ''] = slot.split(/[./]/, 1);
  const isUser = aliases.some(([name, key]) => key === 'user' && name === head);
  return isUser ? `user${slot.slice(head.length)}` : slot;
};
