// Promises about content sent again under the same customId.
import type { PromiseRow } from '../promise.ts';

export const resend = [
  {
    id: 'resend:custom-id:same-document',
    source: 'spec §What the service does',
    says: 'Content sent again under the same customId updates the same document and makes no duplicate.',
    ways: ['rest'],
  },
  {
    id: 'resend:custom-id:only-new-processed',
    source: 'spec §Document',
    says: 'Only new or changed content is processed: chunks that did not change keep their ids.',
    ways: ['rest'],
  },
  {
    id: 'resend:custom-id:new-part',
    source: 'spec §States and transitions',
    says: 'Sending only the new part adds it to the document.',
    ways: ['rest'],
  },
  {
    id: 'resend:custom-id:full-content',
    source: 'spec §States and transitions',
    says: 'Sending the full updated content processes the difference.',
    ways: ['rest'],
  },
  {
    id: 'resend:custom-id:concurrent',
    source: 'spec §What the service does',
    says: 'Many adds at once under one customId give one document, and each of their turns is in it.',
    ways: ['rest'],
  },
  {
    id: 'resend:identical:done',
    source: 'contract 0a',
    says: 'Identical content is not processed again: the same id comes back with the status "done".',
    ways: ['rest'],
  },
  {
    id: 'resend:superset:new-part-only',
    source: 'contract 0a',
    says: 'Content that begins with the stored text is stored whole, and only the addition is processed.',
    ways: ['rest'],
  },
  {
    id: 'resend:turn:appended',
    source: 'contract 0a',
    says: 'A new turn alone is appended.',
    ways: ['rest'],
  },
  {
    id: 'resend:edited:replaced',
    source: 'contract 0a',
    says: 'An edited whole, which shares text with the old, replaces it.',
    ways: ['rest'],
  },
  {
    id: 'resend:disjoint:appended',
    source: 'contract 0a',
    says: 'Text that shares nothing with the old is appended.',
    ways: ['rest'],
  },
  {
    id: 'resend:file:replaced',
    source: 'contract 0a',
    says: 'Content with the metadata claude_memory_type "file", or with a filepath, replaces the old content, whatever text they share.',
    ways: ['rest'],
  },
  {
    id: 'resend:turn:repeated',
    source: 'ours',
    says: 'A turn that repeats an earlier one ("ok") is a new turn: conversations are compared message by message.',
    ways: ['rest'],
  },
  {
    id: 'resend:conversation:forms',
    source: 'ours',
    says: 'A conversation in any form goes on under its customId: sent whole or only with its new messages, also with numbers and session lines that begin again, unchanged messages keep their passages.',
    ways: ['rest'],
  },
  {
    id: 'resend:in-flight:processed-after',
    source: 'contract §5.2',
    says: 'Content that arrives while the first is in flight is processed after it, never dropped.',
    ways: ['rest'],
  },
  {
    id: 'resend:failed:retried',
    source: 'spec §States and transitions',
    says: 'A failed document is processed again when it is sent again under its customId.',
    ways: ['rest'],
  },
  {
    id: 'resend:unreadable:replaced',
    source: 'ours',
    says: 'Unreadable content (an address, a file, an empty page) is replaced by the content that is sent for it; its address is kept.',
    ways: ['rest'],
  },
  {
    id: 'resend:unreadable:left-out',
    source: 'ours',
    says: 'A part that cannot be read is left out of a readable document: the document is failed until a readable part comes, all other parts are kept and found, and note names what was left out, until the whole content is replaced.',
    ways: ['rest'],
  },
  {
    id: 'resend:page:beside-text',
    source: 'ours',
    says: 'Pages and texts under one customId are each read by their kind and stored one behind the other; a page replaces an earlier page with shared text.',
    ways: ['rest'],
  },
  {
    id: 'resend:identity:tag-set',
    source: 'contract 0a',
    says: 'A customId is unique per organisation and set of tags: under other tags it names another document, and the order of tags makes no difference.',
    ways: ['rest'],
  },
  {
    id: 'resend:identity:no-tag',
    source: 'contract 0a',
    says: 'A re-send that names no tag updates the only visible document with that customId, else creates one.',
    ways: ['rest'],
  },
  {
    id: 'resend:identity:several',
    source: 'contract 0a',
    says: 'A re-send that names no tag while several visible documents have the customId updates the one under the default tag, or creates it.',
    ways: ['rest'],
  },
  {
    id: 'resend:title:in-work',
    source: 'ours',
    says: 'A title that is given with a re-send while the document is processed is kept.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
