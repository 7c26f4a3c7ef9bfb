// Any page may call the service: the key protects it, and no browser sends the key automatically.
import type { Request, RequestHandler, Response } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const HEADERS = 'authorization, content-type, x-api-key';
const EXPOSED = 'Retry-After, retry-after-ms, x-should-retry, x-request-id, WWW-Authenticate';
const DAY_S = '86400';

/** Only a proxy sets these headers; a page that sent them could claim another address. */
const FORWARDED = /^(?:x-)?forwarded(?:-|$)/i;

const allowedHeaders = (requested: string | undefined): string => {
  const allowed = (requested ?? '').split(',').filter((name) => !FORWARDED.test(name.trim()));
  return allowed.join(',').trim() || HEADERS;
};

const answerPreflight = (req: Request, res: Response): void => {
  res.setHeader('access-control-allow-methods', METHODS);
  res.setHeader(
    'access-control-allow-headers',
    allowedHeaders(req.headers['access-control-request-headers']),
  );
  res.setHeader('access-control-max-age', DAY_S);
  res.setHeader('vary', 'Access-Control-Request-Headers');
  // Browsers send this before a public page may call a server on the local machine.
  if (req.headers['access-control-request-private-network'] === 'true') {
    res.setHeader('access-control-allow-private-network', 'true');
  }
  res.writeHead(204).end();
};

export const cors: RequestHandler = (req, res, next) => {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-expose-headers', EXPOSED);
  if (req.method === 'OPTIONS') answerPreflight(req, res);
  else next();
};
