// A delivery of a webhook as a source sees it: the HMAC is that of the whole body with the secret.
import { createHmac } from 'node:crypto';
import type { HookVerdict, SourceKind } from '../../../server/adapters/connect/port.ts';

export interface SentDelivery {
  readonly secret: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export const hmacOf = (body: string | Buffer, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

export const checkDelivery = (
  { checkHook }: SourceKind,
  { secret, body = '', headers = {}, query = {} }: SentDelivery,
): HookVerdict | undefined =>
  checkHook?.({ headers, query, secret, body: Buffer.from(body), hmac: hmacOf(body, secret) });
