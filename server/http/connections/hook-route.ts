// The address that sources call when something changes. It needs no key: the token in it is unguessable, and each source proves
// its deliveries besides. Nothing of the address is repeated in an answer.
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Service } from '../../calls/service.ts';
import { forbidden, MemoirError, notFound } from '../../core/errors.ts';
import { bodyTooLarge, clientClosed } from '../bodies/collect.ts';
import { clientAddress } from '../request.ts';
import { sendPlain } from '../send.ts';

export interface HookRouteDeps {
  readonly hooks: Service['hooks'];
  readonly grants: Pick<Service['access']['grants'], 'admit'>;
}

/** The largest that a source sends: GitHub's payloads. */
const MOST_BYTES = 25 * 1024 * 1024;
const KEPT_BYTES = 64 * 1024;

interface ReadDelivery {
  readonly body: Buffer;
  readonly hmac: string;
}

/** The whole body is signed, and its beginning is kept. */
const readDelivery = (req: IncomingMessage, secret: string): Promise<ReadDelivery> =>
  new Promise((resolve, reject) => {
    const hmac = createHmac('sha256', secret);
    const kept: Buffer[] = [];
    let [size, keptBytes] = [0, 0];
    const finish = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onClosed);
      settle();
    };
    const onData = (part: Buffer) => {
      size += part.length;
      if (size > MOST_BYTES) return finish(() => reject(bodyTooLarge(MOST_BYTES)));
      hmac.update(part);
      if (keptBytes >= KEPT_BYTES) return;
      // A copy: a part of a larger buffer would keep all of it.
      const copy = Buffer.from(part.subarray(0, KEPT_BYTES - keptBytes));
      kept.push(copy);
      keptBytes += copy.length;
    };
    const onEnd = () => finish(() => resolve({ body: Buffer.concat(kept), hmac: hmac.digest('hex') }));
    const onClosed = () => finish(() => reject(clientClosed('body')));
    req.on('data', onData).on('end', onEnd).on('close', onClosed);
  });

const oneText = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/** Plain text, whatever the caller put into it. */
const sendInert = (res: Response, text: string): void => {
  res.removeHeader('access-control-allow-origin');
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('content-security-policy', "default-src 'none'; sandbox");
  res.setHeader('cache-control', 'no-store');
  sendPlain(res, 200, text);
};

const sendTaken = (res: Response): void => {
  res.writeHead(202, { 'content-length': 0 });
  res.end();
};

export const hookRoute =
  ({ hooks, grants }: HookRouteDeps): RequestHandler =>
  async (req, res) => {
    const hook = await hooks.open(String(req.params.provider), String(req.params.token));
    if (hook === null) {
      await grants.admit(clientAddress(req));
      throw notFound(
        'No webhook has this address. Its connection was paused or removed, or the webhook was renewed.',
      );
    }
    if (req.headers.expect !== undefined) res.writeContinue();
    const read = await readDelivery(req, hook.secret);
    const query = Object.fromEntries(new URLSearchParams(req.url.split('?')[1] ?? ''));
    const answered = await hook.take({ ...read, query, headers: oneText(req.headers) });
    if (answered.outcome === 'answer') return sendInert(res, answered.text);
    if (answered.outcome === 'taken') return sendTaken(res);
    throw forbidden('The delivery was not made by the source: its signature or its secret does not fit.');
  };

/** Without the path, which holds the token. */
export const onlyDeliveries: RequestHandler = (_req, _res, next) => {
  next(new MemoirError(405, 'A webhook is called with POST.', { headers: { allow: 'POST' } }));
};
