// The ticket of the page on which a person chooses what a connection syncs. It acts with the rights of the key that made the
// connection or asked for the page, for one connection and one hour; only its hash is stored.
import { randomBytes } from 'node:crypto';
import type { TokenStore } from '../../../adapters/store/ports/grants.ts';
import { sha256 } from '../../../lib/hash.ts';

export interface PickerTicket {
  readonly keyId: string;
  readonly connection: string;
  /** The address of the browser after the choice. */
  readonly redirectUrl: string | null;
}

export interface PickerTickets {
  write(ticket: PickerTicket): Promise<string>;
  /** Null: it is unknown or expired. */
  read(ticket: string): Promise<PickerTicket | null>;
}

const KIND = 'Picker';
const HOUR_MS = 3_600_000;
const SECRET_BYTES = 32;

export const createPickerTickets = (
  tokens: Pick<TokenStore, 'keep' | 'find'>,
  now: () => number,
): PickerTickets => ({
  async write({ keyId, connection, redirectUrl }) {
    const ticket = randomBytes(SECRET_BYTES).toString('base64url');
    await tokens.keep({
      ...{ kind: KIND, hash: sha256(ticket), grantId: null, uid: null },
      payload: { keyId, connection, redirectUrl },
      expiresAt: now() + HOUR_MS,
    });
    return ticket;
  },
  async read(ticket) {
    const found = await tokens.find(KIND, sha256(ticket));
    if (found === null || found.expiresAt === null || found.expiresAt <= now()) return null;
    const { keyId, connection, redirectUrl } = found.payload;
    if (typeof keyId !== 'string' || typeof connection !== 'string') return null;
    return { keyId, connection, redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : null };
  },
});
