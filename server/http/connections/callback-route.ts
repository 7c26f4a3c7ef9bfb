// The address to which a source sends the browser back after a sign-in. It needs no key: the state names the connection.
import type { RequestHandler, Response } from 'express';
import type { Service } from '../../calls/service.ts';
import { choiceAddress } from '../../lib/own-address.ts';
import { publicAddress } from '../allowed-hosts.ts';
import { closeSignal } from '../close-signal.ts';
import { messagePage } from '../pages/html.ts';
import { sendPage } from '../pages/page-responses.ts';

export interface CallbackDeps {
  readonly signIn: Service['signIn'];
  /** Without a slash at its end; empty: not known. */
  readonly base: string;
}

type Outcome = Awaited<ReturnType<CallbackDeps['signIn']['finish']>>;

/** Words and ids alone: nothing of what the source sent. */
const redirectTo = (res: Response, address: string): void => {
  res.removeHeader('access-control-allow-origin');
  res.writeHead(302, {
    location: address,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  res.end();
};

const withFields = (address: string, fields: Readonly<Record<string, string>>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
};

const sendFailure = (res: Response, outcome: Extract<Outcome, { done: false }>): void => {
  const { fault, sentence, connection, redirectUrl } = outcome;
  if (redirectUrl === null || connection === null)
    sendPage(res, 400, messagePage('The sign-in did not succeed', sentence));
  else redirectTo(res, withFields(redirectUrl, { connectionId: connection, status: 'failed', error: fault }));
};

export const callbackRoute =
  ({ signIn, base }: CallbackDeps): RequestHandler =>
  async (req, res) => {
    const query = new URLSearchParams(req.url.split('?')[1] ?? '');
    const provider = String(req.params.provider);
    const outcome = await signIn.finish(provider, query, closeSignal(res));
    if (!outcome.done) return sendFailure(res, outcome);
    const { connection, title, mustChoose, redirectUrl } = outcome;
    if (mustChoose && connection.createdBy !== null) {
      const ticket = { keyId: connection.createdBy, connection: connection.id, redirectUrl };
      const address = publicAddress(req, base);
      return redirectTo(res, choiceAddress(address, connection.id, await signIn.tickets.write(ticket)));
    }
    if (redirectUrl !== null)
      return redirectTo(res, withFields(redirectUrl, { connectionId: connection.id, status: 'connected' }));
    sendPage(
      res,
      200,
      messagePage(`${title} is connected`, 'The sync has started. You can close this page.'),
    );
  };
