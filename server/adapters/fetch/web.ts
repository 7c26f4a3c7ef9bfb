// Fetches from the public web: pages and files as bytes, spreadsheets as tables, videos as transcripts.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyFolder } from '../../lib/files/empty-folder.ts';
import type { Web, WebFile } from './port.ts';
import { download, SIZE_LIMITS, type SizeLimits } from './safe/download.ts';
import { fetchError, httpError } from './safe/failures.ts';
import { downloadName, mediaTypeOf } from './safe/file-name.ts';
import { createSafeFetch, type Fetched, type FetchLimits, type Seams } from './safe/safe-fetch.ts';
import { hostOf, parseTarget } from './safe/target.ts';
import { sheetAddress, sheetTitle } from './sheets.ts';
import { videoId } from './video/addresses.ts';
import { readVideo } from './video/youtube.ts';

export interface WebOptions {
  /** A folder of its own for fetched files until they are read; emptied at the start. */
  readonly folder: string;
  readonly userAgent: string;
  readonly limits?: Partial<FetchLimits & SizeLimits>;
  /** For tests; see safe-fetch.ts. */
  readonly seams?: Seams;
}

const notSharedError = () =>
  fetchError(
    'not_shared',
    'This spreadsheet is not shared: set its sharing to "anyone with the link", then send the address again.',
  );

const statusError = ({ status, url, headers }: Fetched, sheet: boolean) =>
  sheet && (status === 401 || status === 403 || status === 404)
    ? notSharedError()
    : httpError(hostOf(url), status, headers['retry-after']);

export const createWeb = ({ userAgent, limits, seams, ...options }: WebOptions): Web => {
  const folder = emptyFolder(options.folder);
  const safeFetch = createSafeFetch({
    userAgent,
    ...(limits === undefined ? {} : { limits }),
    ...(seams === undefined ? {} : { seams }),
  });
  const sizes: SizeLimits = { ...SIZE_LIMITS, ...limits };

  const fetchFile = async (address: string, sheet: boolean, signal: AbortSignal): Promise<WebFile> => {
    const answer = await safeFetch(address, { signal });
    const type = mediaTypeOf(answer.headers['content-type']);
    // A page instead of a table is the sign-in page.
    const closed = sheet && type.mimeType === 'text/html';
    if (answer.status >= 300 || answer.status === 204 || closed) {
      answer.discard();
      throw closed ? notSharedError() : statusError(answer, sheet);
    }
    const file = join(folder, randomUUID());
    const bytes = await download(answer, file, sizes);
    const fileName = downloadName(answer.headers['content-disposition'], answer.url);
    return {
      what: 'file',
      file,
      bytes,
      url: answer.url.href,
      ...type,
      ...(fileName === undefined ? {} : { fileName }),
    };
  };

  const fetchSheet = async (address: string, url: string, signal: AbortSignal): Promise<WebFile> => {
    const found = await fetchFile(address, true, signal);
    const title = sheetTitle(found.fileName);
    return { ...found, url, sheet: true, ...(title === undefined ? {} : { title }) };
  };

  return {
    async open(address, signal) {
      const url = parseTarget(address);
      const video = url === null ? null : videoId(url);
      if (video !== null) return readVideo(video, safeFetch, signal);
      const sheet = url === null ? null : sheetAddress(url);
      return sheet === null ? fetchFile(address, false, signal) : fetchSheet(sheet, address, signal);
    },
    discard: ({ file }) => rm(file, { force: true }),
    close: safeFetch.close,
  };
};
