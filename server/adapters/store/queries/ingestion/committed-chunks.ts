// The chunks that a commit adds, and what they tell of their document.
import { isConversation } from '../../../../core/chunks/chunk-flags.ts';
import type { CommittedDocument } from '../../ports/ingestion/commits.ts';
import { severalInserts } from '../../statements/insert.ts';

const WRITTEN = [
  'n',
  'id',
  'doc',
  'position',
  'part',
  'flags',
  'title',
  'speaker',
  'role',
  'date',
  'content',
  'metadata',
  'body_tokens',
  'message_tokens',
  'terms',
  'input_hash',
  'created_at',
] as const;

export const insertChunks = severalInserts<object, 'chunks', (typeof WRITTEN)[number]>('chunks', WRITTEN);

/** The rows of the chunks that are new to a document, with numbers from the first one. */
export const chunkRows = ({ claim, added }: CommittedDocument, firstNumber: number, now: number) =>
  added.map((chunk, at) => ({
    n: firstNumber + at,
    id: chunk.id,
    doc: claim.n,
    position: chunk.position,
    part: chunk.part,
    flags: chunk.flags,
    title: chunk.title,
    speaker: chunk.speaker,
    role: chunk.role,
    date: chunk.date,
    content: chunk.text,
    metadata: chunk.metadata === null ? null : JSON.stringify(chunk.metadata),
    body_tokens: chunk.bodyTokens,
    message_tokens: chunk.messageTokens,
    terms: chunk.terms,
    input_hash: chunk.inputHash,
    created_at: now,
  }));

/** Nothing of it was stored before, and its sender stated no facts: much need not be looked for. */
export const isPlain = ({ claim, added, removed, total }: CommittedDocument): boolean =>
  claim.revision === 1 && claim.given === null && removed.length === 0 && total === added.length;

/** False: it is no message, and was none before. */
export const mayBeMessage = (document: CommittedDocument): boolean =>
  !isPlain(document) ||
  (document.added.length > 0 && document.added.every(({ flags }) => isConversation(flags)));
