// The dependencies that the routes of the console share.
import type { Request, Response } from 'express';
import type { Operation } from '../../../tools/operation.ts';
import type { Invoke } from '../../calls/invoke.ts';
import type { Service } from '../../calls/service.ts';
import { unauthorized } from '../../core/errors.ts';
import { closeSignal } from '../close-signal.ts';
import { clientAddress, requestIdOf } from '../request.ts';
import { sessionCookie } from '../session-cookie.ts';

export interface ConsoleDeps {
  invoke: Invoke;
  service: Pick<Service, 'team' | 'access'>;
  /** Without a slash at its end; empty: not known. */
  base: string;
}

/** A request of a person, and the answer to it. */
export interface Exchange {
  req: Request;
  res: Response;
}

export const visitorOf = (req: Request) => ({
  address: clientAddress(req),
  userAgent: req.headers['user-agent'] ?? '',
});

/** Calls an operation as the person who is signed in; 401 if nobody is. */
export const callAs = async (
  { invoke, base }: ConsoleDeps,
  { req, res }: Exchange,
  operation: Operation,
  input: object,
): Promise<unknown> => {
  const session = sessionCookie(req, base);
  if (session === null) throw unauthorized('You are not signed in.');
  const meta = { requestId: requestIdOf(res), way: 'rest' as const, address: clientAddress(req) };
  return invoke(operation, input, { ...meta, key: null, session }, closeSignal(res));
};
