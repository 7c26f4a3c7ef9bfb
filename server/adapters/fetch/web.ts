// The public web as Memoir reads it: pages and files by their bytes, spreadsheets as tables, videos by what is said.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { download, SIZE_LIMITS, type SizeLimits } from './download.ts';
import { fetchError, httpError } from './failures.ts';
import { fileNameOf, mediaTypeOf } from './file-name.ts';
import type { Web, WebFile } from './port.ts';
import { createSafeFetch, type Fetched, type FetchLimits, type Seams } from './safe-fetch.ts';
import { sheetAddress, sheetTitle } from './sheets.ts';
import { hostOf, parseTarget } from './target.ts';
import { videoId } from './videos.ts';
import { readVideo } from './youtube.ts';

export interface WebOptions {
  /** A folder of its own for what is fetched, until it is read; emptied at the start. */
  readonly folder: string;
  readonly userAgent: string;
  readonly limits?: Partial<FetchLimits & SizeLimits>;
  /** For tests; see safe-fetch.ts. */
  readonly seams?: Seams;
}

const notShared = () =>
  fetchError(
    'not_shared',
    'This spreadsheet is not shared: set its sharing to "anyone with the link", then send the address again.',
  );

const refusal = ({ status, url, headers }: Fetched, sheet: boolean) =>
  sheet && (status === 401 || status === 403 || status === 404)
    ? notShared()
    : httpError(hostOf(url), status, headers['retry-after']);

/** What an earlier boot fetched and did not read is of no use. */
const emptied = (folder: string): string => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
};

export function createWeb({ userAgent, limits, seams, ...options }: WebOptions): Web {
  const folder = emptied(options.folder);
  const safeFetch = createSafeFetch({
    userAgent,
    ...(limits === undefined ? {} : { limits }),
    ...(seams === undefined ? {} : { seams }),
  });
  const sizes: SizeLimits = { ...SIZE_LIMITS, ...limits };

  const fetchFile = async (address: string, sheet: boolean, signal: AbortSignal): Promise<WebFile> => {
    const answer = await safeFetch(address, { signal });
    const type = mediaTypeOf(answer.headers['content-type']);
    // A page where a table was asked for is the door of the sign-in.
    const closed = sheet && type.mimeType === 'text/html';
    if (answer.status >= 300 || answer.status === 204 || closed) {
      answer.letGo();
      throw closed ? notShared() : refusal(answer, sheet);
    }
    const file = join(folder, randomUUID());
    const bytes = await download(answer, file, sizes);
    const fileName = fileNameOf(answer.headers['content-disposition'], answer.url);
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
}
