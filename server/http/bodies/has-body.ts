// Tells whether a request has a body.
import type { IncomingMessage } from 'node:http';

/** In HTTP/1.1 a request has a body if one of these headers says so. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
