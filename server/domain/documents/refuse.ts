// What a caller is told when the store does not do as asked: what happened and what to do next.
import type { DocumentRecord, Found, Removed, Submitted, Updated } from '../../adapters/store/port.ts';
import { badRequest, conflict, forbidden, type MemoirError, notFound } from '../../errors.ts';
import type { KeyHolder } from '../access/caller.ts';

/** Longer lists are cut in messages. */
const NAMED = 50;

const quoted = (texts: readonly string[]): string => {
  const shown = texts.slice(0, NAMED).map((text) => JSON.stringify(text));
  return texts.length > NAMED ? `${shown.join(', ')} and ${texts.length - NAMED} more` : shown.join(', ');
};

const allowed = (caller: KeyHolder) =>
  caller.tags === null ? '' : ` This key may use these container tags: ${quoted(caller.tags)}.`;

export const missing = (ref: string, caller: KeyHolder): MemoirError =>
  notFound(
    `No document has the id or customId ${JSON.stringify(ref)}. Check it, or list documents to see what there is.${allowed(caller)}`,
  );

export const foreign = (caller: KeyHolder): MemoirError =>
  forbidden(`This document is outside what this key may use. Ask with another key.${allowed(caller)}`);

/** Reading takes one of the tags, changing takes all of them. */
export const notHeld = (caller: KeyHolder): MemoirError =>
  forbidden(
    `This document also carries container tags that this key does not hold, so it may be read but not changed or deleted. Use a key that holds all of its tags.${allowed(caller)}`,
  );

export const ambiguous = (ref: string, ids: readonly string[]): MemoirError =>
  badRequest(
    `The customId ${JSON.stringify(ref)} names ${ids.length} documents, so nothing was done. Use the id of one of them: ${quoted(ids)}.`,
  );

const taken = (id: string): MemoirError =>
  conflict(
    `Another document under the same container tags has this customId already: ${JSON.stringify(id)}. Choose another customId, or update that document.`,
  );

/** The document, or the reason why there is none for this caller. */
export const found = (outcome: Found, ref: string, caller: KeyHolder): DocumentRecord => {
  switch (outcome.outcome) {
    case 'found':
      return outcome.document;
    case 'foreign':
      throw foreign(caller);
    case 'ambiguous':
      throw ambiguous(ref, outcome.ids);
    case 'missing':
      throw missing(ref, caller);
  }
};

/** Otherwise content would land where nobody meant it. */
const untagged = ({ tags }: KeyHolder): MemoirError =>
  badRequest(
    `This key may use several container tags, so name one in containerTag: ${(tags ?? []).map((tag) => JSON.stringify(tag)).join(', ')}.`,
  );

export const accepted = (
  outcome: Submitted,
  caller: KeyHolder,
): { id: string; status: 'queued' | 'done' } => {
  switch (outcome.outcome) {
    case 'accepted':
      return { id: outcome.id, status: outcome.status };
    case 'untagged':
      throw untagged(caller);
    case 'forbidden':
      throw notHeld(caller);
  }
};

export const updated = (
  outcome: Updated,
  ref: string,
  caller: KeyHolder,
): { id: string; status: 'queued' | 'done' } => {
  switch (outcome.outcome) {
    case 'updated':
      return { id: outcome.id, status: outcome.status };
    case 'foreign':
      throw foreign(caller);
    case 'forbidden':
      throw notHeld(caller);
    case 'ambiguous':
      throw ambiguous(ref, outcome.ids);
    case 'taken':
      throw taken(outcome.id);
    case 'missing':
      throw missing(ref, caller);
  }
};

/** One document was to be deleted: anything but one deletion is refused. */
export const removed = (outcome: Removed, ref: string, caller: KeyHolder): void => {
  if (outcome.ambiguous.length > 0) throw ambiguous(ref, outcome.ambiguous);
  if (outcome.forbidden.length > 0) throw notDeletable(caller);
  if (outcome.deleted.length === 0) throw missing(ref, caller);
};

/** The store does not tell whether a document may be read when it may not be deleted. */
export const notDeletable = (caller: KeyHolder): MemoirError =>
  forbidden(
    `This key may not delete this document: it does not hold all of its container tags.${allowed(caller)}`,
  );
