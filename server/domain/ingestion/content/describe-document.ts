// Describes a document by its parts: its type, its note, the metadata that files and pages state, and whether its original is still needed.
import type { Claim } from '../../../adapters/store/ports/ingestion/claims.ts';
import type { DocumentToCommit, NotedMetadata } from '../../../adapters/store/ports/ingestion/commits.ts';
import type { PartSize, Reading } from '../../../adapters/store/ports/ingestion/layout.ts';
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import { type Part, storedParts, toPart } from './content-parts.ts';

/** Reading this kind needs a process of its own, or the web. */
export const isSlow = ({ kind }: Part): boolean => kind === 'html' || kind === 'url' || kind === 'file';

/** True if reading this needs extraction. */
export const needsExtraction = (claim: Claim): boolean =>
  storedParts(claim).some(isSlow) || claim.submissions.some((sent) => isSlow(toPart(sent.content)));

/** The sender's fields about the origin of a file; its bytes decide its kind. */
const LABELS = new Set([
  'tweet',
  'google_doc',
  'google_slide',
  'google_sheet',
  'notion_doc',
  'webpage',
  'onedrive',
  'gmail_thread',
  'github_markdown',
]);

/** Content that replaced a file or an address is text. */
const documentType = (
  { type, file }: Claim,
  parts: readonly Part[],
  readings: readonly Reading[],
): string => {
  if (file?.fileType != null && LABELS.has(file.fileType)) return file.fileType;
  const [read] = readings;
  if (read !== undefined) return read.type;
  if (parts.some(({ kind }) => kind === 'url')) return 'webpage';
  if (parts.some(({ kind }) => kind === 'file')) return type;
  return file !== null || type === 'webpage' ? 'text' : type;
};

const metadataIn = (readings: readonly { facts: Metadata }[]): Metadata =>
  Object.assign({}, ...readings.map(({ facts }) => facts));

const readingsOf = (parts: readonly Pick<PartSize, 'reading'>[]): Reading[] =>
  parts.flatMap(({ reading }) => (reading === undefined ? [] : [reading]));

const notedMetadata = (
  { notedMetadata: former }: Claim,
  readings: readonly Reading[],
): { notedMetadata?: NotedMetadata } => {
  const now = metadataIn(readings);
  return Object.keys(former).length + Object.keys(now).length === 0 ? {} : { notedMetadata: { former, now } };
};

const readingNotes = (readings: readonly Reading[]): string | null =>
  readings.flatMap(({ note }) => (note === undefined ? [] : [note])).join(' ') || null;

type PartsDescription = Pick<DocumentToCommit, 'type' | 'note' | 'notedMetadata' | 'mimeType' | 'dropsFile'>;

export const describeParts = (claim: Claim, parts: readonly Part[]): PartsDescription => {
  const readings = readingsOf(parts);
  const original = readings.find(({ from }) => from === 'file');
  const holdsFile = original !== undefined || parts.some(({ kind }) => kind === 'file');
  return {
    type: documentType(claim, parts, readings),
    note: readingNotes(readings),
    ...notedMetadata(claim, readings),
    ...(original?.mimeType === undefined ? {} : { mimeType: original.mimeType }),
    ...(claim.file !== null && !holdsFile ? { dropsFile: true as const } : {}),
  };
};
