// Sends answers: JSON or text with its length, or no body.
import type { ServerResponse } from 'node:http';

const JSON_TYPE = 'application/json; charset=utf-8';

export const sendText = (res: ServerResponse, status: number, json: string): void => {
  res.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  res.end(json);
};

export const sendPlain = (res: ServerResponse, status: number, text: string): void => {
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': length });
  res.end(text);
};

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  if (status === 204) res.writeHead(204).end();
  else sendText(res, status, JSON.stringify(body));
};

/** The time for which a client may keep sending a body that is not read. */
const LINGER_MS = 5_000;
/** More than any body that is accepted. */
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * For answers sent before the body has arrived. A client that is still sending would lose the answer if the
 * connection were closed, so a bounded rest of the body is read and thrown away.
 */
export const drainBody = (res: ServerResponse): void => {
  const { req } = res;
  if (req.complete) return;
  let left = LINGER_BYTES;
  req.on('data', (part: Buffer) => {
    left -= part.length;
    if (left < 0) req.destroy();
  });
  req.resume();
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('close', () => clearTimeout(timer));
};
