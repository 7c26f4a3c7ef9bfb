// Turns outcomes of the store into answers or refusals. A refusal says what happened and what to do next.
import type { UpdatedOutput } from '../../../tools/documents/schemas/outputs.ts';
import type {
  DocumentRecord,
  FactsRefused,
  FoundDocument,
  Removed,
  Submitted,
  Updated,
} from '../../adapters/store/ports/documents.ts';
import { badRequest, conflict, forbidden, type MemoirError, notFound } from '../../core/errors.ts';
import type { Caller, Principal } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { allowedTags, outsideKey, tagsNotHeld } from '../../core/refusals.ts';
import { documentStatus } from './present.ts';

type Asker = Principal & Pick<Caller, 'isInside'>;

const documentNotFound = (ref: string, caller: Principal): MemoirError =>
  notFound(
    `No document has the id or customId ${JSON.stringify(ref)}. Check it, or list the documents to see which exist.${allowedTags(caller)}`,
  );

/** A call inside one tag learns nothing about what exists elsewhere. */
const documentElsewhere = (ref: string, caller: Asker): MemoirError =>
  caller.isInside ? documentNotFound(ref, caller) : outsideKey('document', caller);

const ambiguous = (ref: string, ids: readonly string[]): MemoirError =>
  badRequest(
    `The customId ${JSON.stringify(ref)} names ${ids.length} documents, so nothing was done. Use the id of one of them: ${quotedList(ids)}.`,
  );

const customIdTaken = (id: string): MemoirError =>
  conflict(
    `Another document under the same container tags has this customId already: ${JSON.stringify(id)}. Choose another customId, or update that document.`,
  );

const searchedOnly = (): MemoirError =>
  badRequest(
    'Facts become memories, and this document gets none: its taskType is superrag, or its filepath lies outside the paths of its container tags from which memories are drawn. Send it without facts, or with another taskType or filepath.',
  );

const unknownMemory = ({ id, tags }: Extract<FactsRefused, { outcome: 'unknown memory' }>): MemoirError =>
  notFound(
    `No memory under exactly ${quotedList(tags)} has the id ${JSON.stringify(id)}, so nothing was stored. Search for the memory to see its id, or send the fact without replaces.`,
  );

const olderVersion = ({ id, latest }: Extract<FactsRefused, { outcome: 'older version' }>): MemoirError =>
  conflict(
    `A newer version took the place of the memory ${id}, so nothing was stored. ${
      latest === null
        ? 'List the memories to see the latest version.'
        : `Name the latest version in replaces: ${latest}.`
    }`,
  );

const forgottenMemory = (id: string): MemoirError =>
  conflict(
    `The memory ${id} is forgotten or its time is over, so nothing was stored. Send the fact without replaces.`,
  );

const refusedFacts = (refused: FactsRefused): MemoirError => {
  switch (refused.outcome) {
    case 'searched only':
      return searchedOnly();
    case 'unknown memory':
      return unknownMemory(refused);
    case 'older version':
      return olderVersion(refused);
    case 'forgotten memory':
      return forgottenMemory(refused.id);
  }
};

/** Returns the document, or throws the reason why this caller cannot get it. */
export const requireFound = (outcome: FoundDocument, ref: string, caller: Asker): DocumentRecord => {
  switch (outcome.outcome) {
    case 'found':
      return outcome.document;
    case 'foreign':
      throw documentElsewhere(ref, caller);
    case 'ambiguous':
      throw ambiguous(ref, outcome.ids);
    case 'missing':
      throw documentNotFound(ref, caller);
  }
};

/** Otherwise content could be stored under a tag that the caller did not mean. */
const untagged = ({ tags }: Principal): MemoirError =>
  badRequest(
    `This key may use several container tags, so name one in containerTag: ${quotedList(tags ?? [])}.`,
  );

export const requireAccepted = (
  outcome: Submitted,
  caller: Principal,
): { id: string; status: 'queued' | 'done' } => {
  switch (outcome.outcome) {
    case 'accepted':
      return { id: outcome.id, status: outcome.status };
    case 'untagged':
      throw untagged(caller);
    case 'forbidden':
      throw tagsNotHeld('document', caller);
    default:
      throw refusedFacts(outcome);
  }
};

export const requireUpdated = (outcome: Updated, ref: string, caller: Asker): UpdatedOutput => {
  switch (outcome.outcome) {
    case 'updated':
      return { id: outcome.id, status: documentStatus(outcome.step) };
    case 'foreign':
      throw documentElsewhere(ref, caller);
    case 'forbidden':
      throw tagsNotHeld('document', caller);
    case 'ambiguous':
      throw ambiguous(ref, outcome.ids);
    case 'taken':
      throw customIdTaken(outcome.id);
    case 'missing':
      throw documentNotFound(ref, caller);
    default:
      throw refusedFacts(outcome);
  }
};

/** For the deletion of one document: every other outcome is refused. */
export const requireRemoved = (outcome: Removed, ref: string, caller: Principal): void => {
  if (outcome.ambiguous.length > 0) throw ambiguous(ref, outcome.ambiguous);
  if (outcome.forbidden.length > 0) throw notDeletable(caller);
  if (outcome.deleted.length === 0) throw documentNotFound(ref, caller);
};

/** The store does not report whether a document that may not be deleted may be read. */
export const notDeletable = (caller: Principal): MemoirError =>
  forbidden(
    `This key may not delete this document: it does not hold all of its container tags.${allowedTags(caller)}`,
  );
