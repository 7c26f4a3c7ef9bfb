// Sends pages for people, including error pages.
import type { Request, RequestHandler, Response } from 'express';
import type { Meta } from '../../calls/invoke.ts';
import { MemoirError } from '../../core/errors.ts';
import { closeSignal } from '../close-signal.ts';
import { clientAddress, requestIdOf } from '../request.ts';
import { messagePage } from './html.ts';

/** One request of a page by a browser. */
export interface Visit {
  meta: Meta;
  signal: AbortSignal;
}

export const sendPage = (
  res: Response,
  status: number,
  { html, headers }: ReturnType<typeof messagePage>,
): void => {
  // Pages of other sites must not read a sign-in page.
  res.removeHeader('access-control-allow-origin');
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(html) }).end(html);
};

export const visitOf = (req: Request, res: Response): Visit => ({
  meta: { requestId: requestIdOf(res), way: 'rest', address: clientAddress(req) },
  signal: closeSignal(res),
});

/** Sends errors as a page instead of JSON. */
export const withErrorPage =
  (handler: RequestHandler): RequestHandler =>
  async (req, res, next) => {
    try {
      await handler(req, res, next);
    } catch (error) {
      if (!(error instanceof MemoirError) || error.status >= 500 || res.headersSent) throw error;
      sendPage(res, error.status, messagePage('The connection failed', error.message));
    }
  };
