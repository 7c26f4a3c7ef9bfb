// Refusals about memories: each says what happened and what to do next.

import type {
  MemoryFound,
  MemoryRecord,
  MemoryTarget,
} from '../../adapters/store/ports/memories/memories.ts';
import { conflict, type MemoirError, notFound } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { holdsEveryTag, outsideKey, tagsNotHeld } from '../../core/refusals.ts';
import { isoTime } from '../../lib/text/dates/format.ts';

/** The two common mistakes: a similar text is not a match, and a document id is not a memory id. */
export const memoryNotFound = ({ id, tags }: MemoryTarget): MemoirError =>
  notFound(
    id === undefined
      ? `No memory under ${quotedList(tags)} says exactly that. Search for it, and use the id of the memory you mean.`
      : `No memory under ${quotedList(tags)} has the id ${JSON.stringify(id)}. List the memories to see their ids; the id of a document or a passage is none.`,
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
      : `The memory ${id} is forgotten or its time is over (forgetAfter ${isoTime(forgetAfter)}), so it was not updated. Give a new forgetAfter, or null for none; if it was forgotten outright, create a new one.`,
  );

export const notReviewable = ({ id }: Pick<MemoryRecord, 'id'>, action: string): MemoirError =>
  conflict(
    action === 'undo'
      ? `The memory ${id} has no review that could be taken back.`
      : `The memory ${id} does not wait for a review: it is no guess, was reviewed already or is forgotten.`,
  );

/** Returns the memory, or throws the reason why the caller cannot change it. */
export const changeable = (
  found: MemoryFound,
  target: MemoryTarget,
  caller: Principal,
): { memory: MemoryRecord; latest: string | null } => {
  if (found.outcome === 'missing') throw memoryNotFound(target);
  if (found.outcome === 'foreign') throw outsideKey('memory', caller);
  if (!holdsEveryTag(caller, found.memory)) throw tagsNotHeld('memory', caller);
  return found;
};
