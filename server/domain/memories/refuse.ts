// What a caller is told when a memory cannot be changed as asked: what happened and what to do next.
import type { MemoryFound, MemoryRecord, MemoryTarget } from '../../adapters/store/memory-port.ts';
import { conflict, forbidden, type MemoirError, notFound } from '../../errors.ts';
import type { KeyHolder } from '../access/caller.ts';

/** Longer lists are cut in messages. */
const NAMED = 50;

const list = (texts: readonly string[]): string => {
  const shown = texts.slice(0, NAMED).map((text) => JSON.stringify(text));
  return texts.length > NAMED ? `${shown.join(', ')} and ${texts.length - NAMED} more` : shown.join(', ');
};

const allowed = ({ tags }: KeyHolder): string =>
  tags === null ? '' : ` This key may use these container tags: ${list(tags)}.`;

/** A text that is near is no match, and the id of a document is not the id of a memory: both are easily mistaken. */
export const missing = ({ id, tags }: MemoryTarget): MemoirError =>
  notFound(
    id === undefined
      ? `No memory under ${list(tags)} says exactly that. Search for it, and use the id of the memory you mean.`
      : `No memory under ${list(tags)} has the id ${JSON.stringify(id)}. List the memories to see their ids; the id of a document is none.`,
  );

const foreign = (caller: KeyHolder): MemoirError =>
  forbidden(`This memory is outside what this key may use. Ask with another key.${allowed(caller)}`);

/** Reading takes one of the tags, changing takes all of them. */
const notHeld = (caller: KeyHolder): MemoirError =>
  forbidden(
    `This memory also carries container tags that this key does not hold, so it may be read but not changed. Use a key that holds all of its tags.${allowed(caller)}`,
  );

export const superseded = (latest: string | null): MemoirError =>
  conflict(
    `A newer version took the place of this memory, so nothing was done. ${
      latest === null
        ? 'List the memories to see the latest version.'
        : `Use the id of the latest version: ${latest}.`
    }`,
  );

export const alreadyForgotten = ({ id }: Pick<MemoryRecord, 'id'>): MemoirError =>
  conflict(`The memory ${id} is forgotten already; there is nothing to do.`);

export const notRevisable = ({ id, forgetAfter }: Pick<MemoryRecord, 'id' | 'forgetAfter'>): MemoirError =>
  conflict(
    forgetAfter === null
      ? `The memory ${id} is forgotten, so it was not updated. Create a new one to state it again.`
      : `The memory ${id} is forgotten or its time is over (forgetAfter ${new Date(forgetAfter).toISOString()}), so it was not updated. Give a new forgetAfter, or null for none; if it was forgotten outright, create a new one.`,
  );

export const notReviewable = ({ id }: Pick<MemoryRecord, 'id'>, action: string): MemoirError =>
  conflict(
    action === 'undo'
      ? `The memory ${id} has no review that could be taken back.`
      : `The memory ${id} does not wait for a review: it is no guess, was reviewed already or is forgotten.`,
  );

export const holdsAll = ({ tags }: KeyHolder, memory: Pick<MemoryRecord, 'tags'>): boolean =>
  tags === null || memory.tags.every((tag) => tags.includes(tag));

/** The memory that the caller may change, or the reason why there is none. */
export const changeable = (
  found: MemoryFound,
  target: MemoryTarget,
  caller: KeyHolder,
): { memory: MemoryRecord; latest: string | null } => {
  if (found.outcome === 'missing') throw missing(target);
  if (found.outcome === 'foreign') throw foreign(caller);
  if (!holdsAll(caller, found.memory)) throw notHeld(caller);
  return found;
};
