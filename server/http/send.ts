// Answers: JSON with its length, or nothing.
import type { ServerResponse } from 'node:http';

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendText(res: ServerResponse, status: number, json: string): void {
  res.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  res.end(json);
}

export function sendPlain(res: ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': length });
  res.end(text);
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (status === 204) res.writeHead(204).end();
  else sendText(res, status, JSON.stringify(body));
}

/** How long a client may go on sending a body that nobody reads before it is cut off. */
const LINGER_MS = 5_000;

/**
 * For answers given before the body has come. Cutting the connection while the client still sends
 * would cost it the answer, so what is left of the body is thrown away for a while.
 */
export function linger(res: ServerResponse): void {
  const { req } = res;
  if (req.complete) return;
  req.resume();
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('close', () => clearTimeout(timer));
}
