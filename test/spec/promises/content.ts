// Promises about files and addresses: their submission, the stored parts, and the place of a passage in them.
import type { PromiseRow } from '../promise.ts';

export const content = [
  {
    id: 'content:bytes:decide',
    source: 'ours',
    says: 'The bytes of a file or an address decide its type, not its name or its declared type.',
    ways: ['rest'],
  },
  {
    id: 'content:place:named',
    source: 'ours',
    says: 'A result from a file names its place: the page of a PDF, the slide of a deck, the sheet and row of a table, the time of a recording, the heading of a text.',
    ways: ['rest'],
  },
  {
    id: 'content:progress:reading',
    source: 'contract 0a (ours)',
    says: 'While a file is read, progress counts its pages, slides, sheets or parts.',
    ways: ['rest'],
  },
  {
    id: 'content:note:left-out',
    source: 'ours',
    says: 'The note of a document says which part of a file or an address was left out, and why.',
    ways: ['rest'],
  },
  {
    id: 'content:long:slices',
    source: 'ours',
    says: 'A long file is indexed whole, in slices that let other writes through.',
    ways: ['rest'],
  },
  {
    id: 'content:audio:no-service',
    source: 'ours',
    says: 'Without a transcription service audio and video fail with a sentence that names the setting, and are read when they are sent again after the setting was made.',
    ways: ['rest'],
  },
  {
    id: 'content:url:facts',
    source: 'ours',
    says: "Title, author, site, date and canonical address of a page are kept; the sender's own metadata take precedence.",
    ways: ['rest'],
  },
  {
    id: 'content:url:private-networks',
    source: 'ours',
    says: 'An address in a private network is not fetched, in any spelling and after any redirect.',
    ways: ['rest'],
  },
  {
    id: 'content:url:resent',
    source: 'contract §5.1',
    says: 'An address that could not be read is fetched again when it is sent again under its customId.',
    ways: ['rest'],
  },
  {
    id: 'content:url:no-transcript',
    source: 'ours',
    says: 'A video without a transcript keeps its title and description, and note says so.',
    ways: ['rest'],
  },
  {
    id: 'content:url:among-words',
    source: 'ours',
    says: 'An address among other words is text like any other.',
    ways: ['rest'],
  },
  {
    id: 'upload:form:spellings',
    source: 'contract op 6',
    says: 'The parts of an upload come in any order and in every published spelling of tags and metadata.',
    ways: ['rest'],
  },
  {
    id: 'upload:form:fields',
    source: 'contract op 6',
    says: 'An upload takes customId, metadata, entityContext, filepath, title, taskType, dreaming, fileType and mimeType.',
    ways: ['rest'],
  },
  {
    id: 'upload:form:mime-type',
    source: 'contract op 6',
    says: 'mimeType is required when fileType is image or video.',
    ways: ['rest'],
  },
  {
    id: 'upload:form:one-file',
    source: 'ours',
    says: 'A form with several files, without one in a part named file, or that breaks off, fails with 400.',
    ways: ['rest'],
  },
  {
    id: 'upload:legacy:in-place',
    source: 'ours',
    says: 'A form sent to /v3/memories/file is taken there, without a redirect.',
    ways: ['rest'],
  },
  {
    id: 'upload:aborted:nothing-left',
    source: 'ours',
    says: 'An upload that is refused or breaks off leaves no file, no document and no link behind.',
    ways: ['rest'],
  },
  {
    id: 'upload:resend:same',
    source: 'contract §5.2',
    says: 'The same file under the same customId changes nothing, unless the last attempt failed or yielded nothing.',
    ways: ['rest'],
  },
  {
    id: 'upload:resend:replaced',
    source: 'ours',
    says: 'Another file under the same customId replaces the former one as a whole.',
    ways: ['rest'],
  },
  {
    id: 'upload:original:described',
    source: 'ours',
    says: 'An uploaded document contains in raw the name, the type and the length of its file.',
    ways: ['rest'],
  },
  {
    id: 'upload:link:bound',
    source: 'ours',
    says: 'A link leads to the file of one document alone; a changed link is invalid, and an expired link is reported as expired.',
    ways: ['rest'],
  },
  {
    id: 'upload:link:harmless',
    source: 'ours',
    says: 'A link offers its file as a download: a browser neither shows it nor runs anything in it.',
    ways: ['rest'],
  },
  {
    id: 'upload:deleted:erased',
    source: 'contract 0a',
    says: 'The original of a file is erased with its document, and its links become invalid.',
    ways: ['rest'],
  },
  {
    id: 'auth:open:file-links',
    source: 'contract 0a',
    says: 'Signed file links answer without a key.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
