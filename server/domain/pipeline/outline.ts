// What a document is, by the parts that it consists of: its type, what is noted about it, whether its original still counts.
import type { Claim, Facts, IndexedDocument, PartSize, Reading } from '../../adapters/store/ingest-port.ts';
import type { Metadata } from '../../adapters/store/port.ts';
import { type Part, partOf, storedParts } from './parts.ts';

/** Reading it takes a process of its own, or the web. */
export const isSlow = ({ kind }: Part): boolean => kind === 'html' || kind === 'url' || kind === 'file';

/** Whether reading this takes its time. */
export const needsExtraction = (claim: Claim): boolean =>
  storedParts(claim).some(isSlow) || claim.submissions.some((sent) => isSlow(partOf(sent.content)));

/** Words of the sender that say where a file is from; what it is, its bytes have said. */
const LABELS = new Set([
  'tweet',
  'google_doc',
  'google_slide',
  'google_sheet',
  'notion_doc',
  'webpage',
  'onedrive',
]);

/** What came in the place of a file or an address is a text. */
const typeOf = ({ type, file }: Claim, parts: readonly Part[], readings: readonly Reading[]): string => {
  if (file?.fileType != null && LABELS.has(file.fileType)) return file.fileType;
  const [read] = readings;
  if (read !== undefined) return read.type;
  if (parts.some(({ kind }) => kind === 'url')) return 'webpage';
  if (parts.some(({ kind }) => kind === 'file')) return type;
  return file !== null || type === 'webpage' ? 'text' : type;
};

const factsIn = (readings: readonly { facts: Metadata }[]): Metadata =>
  Object.assign({}, ...readings.map(({ facts }) => facts));

const readingsOf = (parts: readonly Pick<PartSize, 'reading'>[]): Reading[] =>
  parts.flatMap(({ reading }) => (reading === undefined ? [] : [reading]));

const notedBy = (claim: Claim, readings: readonly Reading[]): { facts?: Facts } => {
  const former = claim.facts;
  const now = factsIn(readings);
  return Object.keys(former).length + Object.keys(now).length === 0 ? {} : { facts: { former, now } };
};

const noteOf = (readings: readonly Reading[]): string | null =>
  readings.flatMap(({ note }) => (note === undefined ? [] : [note])).join(' ') || null;

type Outline = Pick<IndexedDocument, 'type' | 'note' | 'facts' | 'mimeType' | 'dropsFile'>;

export const describeParts = (claim: Claim, parts: readonly Part[]): Outline => {
  const readings = readingsOf(parts);
  const original = readings.find(({ from }) => from === 'file');
  const holdsFile = original !== undefined || parts.some(({ kind }) => kind === 'file');
  return {
    type: typeOf(claim, parts, readings),
    note: noteOf(readings),
    ...notedBy(claim, readings),
    ...(original?.mimeType === undefined ? {} : { mimeType: original.mimeType }),
    ...(claim.file !== null && !holdsFile ? { dropsFile: true as const } : {}),
  };
};
