// Paths of earlier clients: /v3/memories is /v3/documents now.
import type { RequestHandler } from 'express';
import { linger } from './send.ts';

const LEGACY = /^\/v3\/memories(?=[/?]|$)/i;

/** 308 keeps method and body; the rest of the path and the query stay as they were written. */
export const legacyRoutes =
  (prefix: string): RequestHandler =>
  (req, res, next) => {
    if (!LEGACY.test(req.originalUrl)) return next();
    linger(res);
    res.writeHead(308, { location: prefix + req.originalUrl.replace(LEGACY, '/v3/documents') }).end();
  };

/** Served where it arrives: clients that follow a redirect write a form anew, between other boundaries than they announced. */
export const legacyForms: RequestHandler = (req, _res, next) => {
  if (/^multipart\//i.test(req.headers['content-type'] ?? ''))
    req.url = req.url.replace(LEGACY, '/v3/documents');
  next();
};
