// Paths of earlier clients: /v3/memories is /v3/documents now.
import type { RequestHandler } from 'express';
import { drainBody } from '../drain.ts';

const LEGACY = /^\/v3\/memories(?=[/?]|$)/i;

/** Status 308 keeps method and body; the rest of the path and the query stay unchanged. */
export const redirectMemoriesPaths =
  (prefix: string): RequestHandler =>
  (req, res, next) => {
    if (!LEGACY.test(req.originalUrl)) return next();
    drainBody(res);
    res.writeHead(308, { location: prefix + req.originalUrl.replace(LEGACY, '/v3/documents') }).end();
  };

/** Serves forms without a redirect: clients that follow one write the form with a boundary that differs from the header. */
export const rewriteMemoriesForms: RequestHandler = (req, _res, next) => {
  if (/^multipart\//i.test(req.headers['content-type'] ?? ''))
    req.url = req.url.replace(LEGACY, '/v3/documents');
  next();
};
