// Promises about the title and the summary that a document is shown with.
import type { PromiseRow } from '../promise.ts';

export const documentsOutline = [
  {
    id: 'documents:outline:drawn',
    source: 'ours',
    says: 'Every document that was read has a title, without a model too: the one that its sender gave, else the one that its content states (a heading, the subject of a mail, the title of a page or of a file), else its file name if that says something, else its first telling sentence, at most 80 characters.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:summary',
    source: 'ours',
    says: 'Every document that was read has a summary, without a model too: a short text itself, else its most central sentences, whole, in their order, at most 300 characters; of code, data and tables the first lines.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:conversation',
    source: 'ours',
    says: 'Title and summary of a conversation hold no markup and no names of roles, nothing of system messages and of tools, and in the title nothing of the assistant if the user said something.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:again',
    source: 'ours',
    says: 'Changed content gets another drawn title and summary; a title that was given stays, also one that an update gives.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:unread',
    source: 'ours',
    says: 'An uploaded file that could not be read has its name as title, so that it can be recognised in lists.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:erased',
    source: 'ours',
    says: 'Content that is replaced takes its title and its summary along at once, also if the new content cannot be read.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:origin',
    source: 'ours',
    says: 'raw of a document that was read says where the title comes from (titleOrigin: given, stated by the content, drawn from it, or written by a model) and where the summary does (summaryOrigin: drawn or written).',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:written',
    source: 'ours',
    says: 'A model that reads a document for memories writes its title and its summary in the same call. They take the place of drawn ones, not of a title that was given or that the content states; they stay when content is only added, and go when some of it is replaced.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:not-searched',
    source: 'ours',
    says: 'A drawn title and a summary are shown and not searched: they change no result and no similarity.',
    ways: ['rest'],
  },
  {
    id: 'documents:outline:shown',
    source: 'ours',
    says: 'Lists, reads and searches show both to whoever may read the document; title of documents in results of POST /v4/search is a text, never null.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
