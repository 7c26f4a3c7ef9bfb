// The ticket that leads from the first to the second step of the connect page. It works once, within ten minutes.
import { randomBytes } from 'node:crypto';
import type { Service } from '../../calls/service.ts';
import { sha256 } from '../../lib/hash.ts';

const VALID_MS = 600_000;
const KIND = 'Ticket';

export interface Tickets {
  /** The ticket is valid only for the request that it was made for. */
  write(keyId: string, request: string): Promise<string>;
  /** Returns the id of the key, the first time only; null if the ticket is invalid, used or expired. */
  redeem(ticket: string, request: string): Promise<string | null>;
}

/** Kept in the store, so that a ticket works once even after a restart. */
export const createTickets = (
  tokens: Pick<Service['access']['grants']['tokens'], 'keep' | 'find' | 'consume'>,
  now: () => number = Date.now,
): Tickets => ({
  async write(keyId, request) {
    const ticket = randomBytes(32).toString('base64url');
    await tokens.keep({
      ...{ kind: KIND, hash: sha256(ticket), grantId: null, uid: null },
      payload: { keyId, request: sha256(request) },
      expiresAt: now() + VALID_MS,
    });
    return ticket;
  },
  async redeem(ticket, request) {
    const hash = sha256(ticket);
    const found = await tokens.find(KIND, hash);
    if (found === null || found.expiresAt === null || found.expiresAt <= now()) return null;
    const { keyId, request: madeFor } = found.payload;
    if (typeof keyId !== 'string' || madeFor !== sha256(request)) return null;
    // If several answers come at once, the store lets one through.
    return (await tokens.consume(KIND, hash)) ? keyId : null;
  },
});
