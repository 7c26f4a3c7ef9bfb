// Reads a file of Google Drive: its bytes, or the export of a document of Google's own.
import { z } from 'zod';
import { createGoogleApi } from '../google/api.ts';
import type { Ask, ReadItem, SourceAnswer, Taken } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { DRIVE_ADDRESS } from './drive-api.ts';
import { type Export, exportOf } from './files.ts';

/** The only host to which an address for an export may lead, because the token goes along. */
const EXPORT_HOST = 'docs.google.com';
const AS_TEXT: Export = { mimeType: 'text/plain', ending: 'txt' };
const TEXT_NOTE =
  'Google exports no more than 10 MB of a document, so only its text was read, without tables and notes.';

const exportLinks = z.object({ exportLinks: z.record(z.string(), z.string()).default({}) });

interface Reading {
  readonly ask: Ask;
  readonly id: string;
  readonly signal: AbortSignal;
}

const fileAddress = (id: string): string => `${DRIVE_ADDRESS}/files/${encodeURIComponent(id)}`;

const downloadBlob = ({ ask, id, signal }: Reading): Promise<SourceAnswer> =>
  ask(`${fileAddress(id)}?alt=media&supportsAllDrives=true`, { template: '/files/{id}' }, signal);

const exportAs = ({ ask, id, signal }: Reading, { mimeType }: Export): Promise<SourceAnswer> =>
  ask(
    `${fileAddress(id)}/export?mimeType=${encodeURIComponent(mimeType)}`,
    { template: '/files/{id}/export' },
    signal,
  );

/** The address that a browser downloads from has no limit of size. Null: there is none for this format. */
const exportByLink = async (
  { ask, id, signal }: Reading,
  { mimeType }: Export,
): Promise<SourceAnswer | null> => {
  const { exportLinks: links } = await createGoogleApi(ask, DRIVE_ADDRESS, signal)(
    `/files/${encodeURIComponent(id)}`,
    { fields: 'exportLinks', supportsAllDrives: true },
    { shape: exportLinks, what: 'the addresses of an export', template: '/files/{id}' },
  );
  const link = URL.parse(links[mimeType] ?? '');
  if (link === null || link.protocol !== 'https:' || link.host !== EXPORT_HOST) return null;
  return ask(link.href, { template: '/export' }, signal);
};

const isRefusedExport = (error: unknown): boolean =>
  error instanceof SourceError &&
  (error.code === 'too_large' || error.code === 'refused' || error.code === 'forbidden');

const orNull = (error: unknown): null => {
  if (isRefusedExport(error)) return null;
  throw error;
};

const exportWhole = async (
  reading: Reading,
  wanted: Export,
): Promise<{ answer: SourceAnswer; exported: Export; note?: string }> => {
  try {
    return { answer: await exportAs(reading, wanted), exported: wanted };
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'too_large') throw error;
    const byLink = await exportByLink(reading, wanted).catch(orNull);
    if (byLink !== null) return { answer: byLink, exported: wanted };
    const text = await exportAs(reading, AS_TEXT).catch(orNull);
    if (text === null) throw error;
    return { answer: text, exported: AS_TEXT, note: TEXT_NOTE };
  }
};

const withEnding = (name: string, ending: string): string =>
  name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`;

const typeOf = (how: ReadItem['how']): string =>
  typeof how === 'object' && how !== null && 'mimeType' in how ? String(how.mimeType) : '';

const harmful = (name: string, { message }: SourceError): Taken => ({
  content: 'nothing',
  skip: { code: 'no_download', message: `"${name}": ${message}` },
});

export const readDriveFile = async (ask: Ask, item: ReadItem, signal: AbortSignal): Promise<Taken> => {
  const reading: Reading = { ask, id: item.id, signal };
  const { title } = item.face;
  const mimeType = typeOf(item.how);
  const wanted = exportOf(mimeType);
  try {
    if (wanted === undefined) {
      const answer = await downloadBlob(reading);
      return { content: 'file', name: title, mediaType: mimeType, bytes: answer.stream };
    }
    const { answer, exported, note } = await exportWhole(reading, wanted);
    return {
      ...{ content: 'file', name: withEnding(title, exported.ending), mediaType: exported.mimeType },
      bytes: answer.stream,
      ...(note === undefined ? {} : { note }),
    };
  } catch (error) {
    if (error instanceof SourceError && error.code === 'forbidden') return harmful(title, error);
    throw error;
  }
};
