// GET /files/{id}: the original of a document, for every holder of the link. A browser never executes it.

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler } from 'express';

export interface Download {
  stream: Readable;
  bytes: number;
  name: string;
  mimeType: string;
}

/** The parts of a signed link. */
export interface DownloadLink {
  id: string;
  /** The principal that asked for the link. */
  by: string;
  expires: string;
  signature: string;
}

/** Throws a MemoirError if the link is not valid. */
export type OpenLink = (link: DownloadLink) => Promise<Download>;

/** RFC 6266: an ASCII name for old programs, and the real name. */
const attachment = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const real = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${real}`;
};

const downloadLinkParts = (id: unknown, url: string): DownloadLink => {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  return {
    id: String(id),
    by: query.get('by') ?? '',
    expires: query.get('expires') ?? '',
    signature: query.get('signature') ?? '',
  };
};

/** The client closed the connection or the disk failed. The answer has already begun, so it can only be cut off. */
const ignoreCutOff = (): void => undefined;

export const downloadRoute =
  (open: OpenLink): RequestHandler =>
  async (req, res) => {
    const { stream, bytes, name, mimeType } = await open(downloadLinkParts(req.params.id, req.url));
    res.writeHead(200, {
      'content-type': mimeType,
      'content-length': bytes,
      'content-disposition': attachment(name),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'none',
    });
    if (req.method === 'HEAD') {
      stream.destroy();
      res.end();
    } else await pipeline(stream, res).catch(ignoreCutOff);
  };
