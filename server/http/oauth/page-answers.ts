// Answers that people read: pages, also for what went wrong.
import type { Request, RequestHandler, Response } from 'express';
import { MemoirError } from '../../errors.ts';
import { addressOf, requestIdOf, wantedSignal } from '../request.ts';
import type { Visit } from './consent.ts';
import { messagePage } from './pages.ts';

export function sendPage(
  res: Response,
  status: number,
  { html, headers }: ReturnType<typeof messagePage>,
): void {
  // A page that a person signs in on is nobody else's to read.
  res.removeHeader('access-control-allow-origin');
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(html) }).end(html);
}

export const visitOf = (req: Request, res: Response): Visit => ({
  address: addressOf(req),
  meta: { requestId: requestIdOf(res), way: 'rest' },
  signal: wantedSignal(res),
});

/** People read a page, not JSON. */
export const asPage =
  (handler: RequestHandler): RequestHandler =>
  async (req, res, next) => {
    try {
      await handler(req, res, next);
    } catch (error) {
      if (!(error instanceof MemoirError) || error.status >= 500 || res.headersSent) throw error;
      sendPage(res, error.status, messagePage('This connection cannot be made', error.message));
    }
  };
