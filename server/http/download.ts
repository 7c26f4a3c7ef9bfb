// GET /files/{id}: the original of a document, to whoever has the link. Nothing in it is run by a browser.

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler } from 'express';

export interface Download {
  stream: Readable;
  bytes: number;
  name: string;
  mimeType: string;
}

/** What the link says. */
export interface LinkParts {
  id: string;
  expires: string;
  signature: string;
}

/** Throws a MemoirError where the link does not hold. */
export type OpenLink = (link: LinkParts) => Promise<Download>;

/** RFC 6266: a name of plain letters for old programs, and the real one. */
const attachment = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const real = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${real}`;
};

const partsOf = (id: unknown, url: string): LinkParts => {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  return {
    id: String(id),
    expires: query.get('expires') ?? '',
    signature: query.get('signature') ?? '',
  };
};

/** Whoever reads it went away, or the disk failed: the answer has begun, so it can only be cut off. */
const cutOff = (): void => undefined;

export const downloadRoute =
  (open: OpenLink): RequestHandler =>
  async (req, res) => {
    const { stream, bytes, name, mimeType } = await open(partsOf(req.params.id, req.url));
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
    } else await pipeline(stream, res).catch(cutOff);
  };
