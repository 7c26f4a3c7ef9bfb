// Refusals that name container tags, for documents and memories alike.
import { forbidden, type MemoirError } from './errors.ts';
import type { Principal } from './principal.ts';
import { quotedList } from './quoted-list.ts';

type Kind = 'document' | 'memory';

/** The end of a refusal: the tags that the key may use; empty for a key that may use all. */
export const allowedTags = ({ tags }: Principal): string =>
  tags === null ? '' : ` This key may use these container tags: ${quotedList(tags)}.`;

export const outsideKey = (kind: Kind, principal: Principal): MemoirError =>
  forbidden(`This ${kind} is outside what this key may use. Use another key.${allowedTags(principal)}`);

/** Reading needs one of the tags, changing needs all of them. */
export const tagsNotHeld = (kind: Kind, principal: Principal): MemoirError =>
  forbidden(
    `This ${kind} also carries container tags that this key does not hold, so it may be read but not changed or deleted. Use a key that holds all of its tags.${allowedTags(principal)}`,
  );

export const holdsEveryTag = ({ tags }: Principal, item: { readonly tags: readonly string[] }): boolean =>
  tags === null || item.tags.every((tag) => tags.includes(tag));
