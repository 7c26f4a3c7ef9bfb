// What the authorization server remembers, in our store: secrets as hashes, so that nobody who reads it can use them.
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { sha256 } from '../../lib/hash.ts';
import type { Service } from '../../service.ts';

type Grants = Service['access']['grants'];

/** A program that registered and never connected is forgotten after this. */
const UNUSED_CLIENT_S = 30 * 86_400;

/** The id is the secret itself: it is put back by whoever knows it. */
const withoutSecret = ({ jti, ...payload }: AdapterPayload): Record<string, unknown> => payload;

const inMs = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Date.now() + seconds * 1000;

const grantOf = (kind: string, id: string, { grantId }: AdapterPayload): string | null =>
  kind === 'Grant' ? id : (grantId ?? null);

export const createRecords =
  ({ tokens, revoke }: Pick<Grants, 'tokens' | 'revoke'>): AdapterFactory =>
  (kind) => {
    const keepClient = async (id: string): Promise<void> => {
      const client = await tokens.find('Client', sha256(id));
      if (client !== null) await tokens.keep({ ...client, expiresAt: null });
    };

    const adapter: Adapter = {
      async upsert(id, payload, expiresIn) {
        const unused = kind === 'Client' ? UNUSED_CLIENT_S : undefined;
        await tokens.keep({
          kind,
          hash: sha256(id),
          grantId: grantOf(kind, id, payload),
          uid: kind === 'Session' ? (payload.uid ?? null) : null,
          payload: withoutSecret(payload),
          expiresAt: inMs(expiresIn ?? unused),
        });
        if (kind === 'Grant' && payload.clientId !== undefined) await keepClient(payload.clientId);
      },
      async find(id) {
        const record = await tokens.find(kind, sha256(id));
        if (record === null || (record.expiresAt !== null && record.expiresAt <= Date.now()))
          return undefined;
        const consumed = record.consumedAt === null ? {} : { consumed: Math.floor(record.consumedAt / 1000) };
        return { ...record.payload, jti: id, ...consumed };
      },
      async findByUid(uid) {
        return (await tokens.findByUid(kind, uid))?.payload;
      },
      /** There are no devices that show codes. */
      findByUserCode: async () => undefined,
      async consume(id) {
        // Of two that come at once with the same code or token, one is a thief's.
        if (!(await tokens.consume(kind, sha256(id)))) throw new errors.InvalidGrant('it was used already');
      },
      async destroy(id) {
        if (kind === 'Grant') await revoke(id).catch(unlessGone);
        else await tokens.drop(kind, sha256(id));
      },
      revokeByGrantId: (grantId) => tokens.dropOfGrant(kind, grantId),
    };
    return adapter;
  };

/** Two may take the same grant back. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && error.status === 404)) throw error;
}
