// Storage of the authorization server: secrets are kept as hashes, so that a reader of the store cannot use them.
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { Service } from '../../calls/service.ts';
import { sha256 } from '../../lib/hash.ts';

type Grants = Service['access']['grants'];

/** A registered program that never connects is deleted after this time. */
const UNUSED_CLIENT_S = 30 * 86_400;

/** Removes the id, which is the secret; `find` adds it again. */
const withoutSecret = ({ jti, ...payload }: AdapterPayload): Record<string, unknown> => payload;

const inMs = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Date.now() + seconds * 1000;

const grantIdOf = (kind: string, id: string, { grantId }: AdapterPayload): string | null =>
  kind === 'Grant' ? id : (grantId ?? null);

export const createTokenStorage =
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
          grantId: grantIdOf(kind, id, payload),
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
      /** The device flow is not supported. */
      findByUserCode: async () => undefined,
      async consume(id) {
        // A second use of the same code or token is a sign of theft.
        if (!(await tokens.consume(kind, sha256(id)))) throw new errors.InvalidGrant('it was already used');
      },
      async destroy(id) {
        if (kind === 'Grant') await revoke(id).catch(unlessGone);
        else await tokens.drop(kind, sha256(id));
      },
      revokeByGrantId: (grantId) => tokens.dropOfGrant(kind, grantId),
    };
    return adapter;
  };

/** Ignores 404: two requests may revoke the same grant. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof Error && 'status' in error && error.status === 404)) throw error;
};
