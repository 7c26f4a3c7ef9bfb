// Lists and rights that a person types into a form of the console.
import { z } from 'zod';
import { badRequest } from '../../core/errors.ts';

export const listOf = (text: string): string[] =>
  text
    .split(/[,\n]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

const permission = z.enum(['read', 'write']);

/** `office:read, notes` → read in one, write in the other; null: all. A tag may hold colons itself. */
export const tagAccessOf = (
  text: string,
): { containerTag: string; permission: 'read' | 'write' }[] | null => {
  const tags = listOf(text).map((one) => {
    const at = one.lastIndexOf(':');
    const ending = permission.safeParse(at < 0 ? 'write' : one.slice(at + 1));
    return ending.success
      ? { containerTag: at < 0 ? one : one.slice(0, at), permission: ending.data }
      : { containerTag: one, permission: 'write' as const };
  });
  return tags.length === 0 ? null : tags;
};

const MOST_ADDRESSES = 20;

export const addressesOf = (text: string): string[] => {
  const addresses = listOf(text.replace(/;/g, ','));
  if (addresses.length > 0 && addresses.length <= MOST_ADDRESSES) return addresses;
  throw badRequest(`Give from 1 to ${MOST_ADDRESSES} addresses, separated by commas.`);
};
