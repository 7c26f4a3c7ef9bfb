// Recognises an access token. It may do what its grant allows, and never more than the key behind it.
import type { GrantRecord, GrantStore } from '../../adapters/store/ports/grants.ts';
import type { KeyRecord, KeyStore, KeyWithMakers } from '../../adapters/store/ports/keys.ts';
import type { SessionRecord } from '../../adapters/store/ports/team/team.ts';

/** A key, the rights of a token that was issued on it, or those of a session. */
export type RecognisedKey = KeyWithMakers & { grantId?: string; session?: SessionRecord };

export interface TokensDeps {
  grants: Pick<GrantStore, 'byId' | 'tokens'>;
  keys: Pick<KeyStore, 'byId'>;
  /** True if the address that a token was issued for belongs to this server. */
  isOwnResource(resource: string): boolean;
}

const ACCESS_TOKEN = /^[\w-]{43}$/;

export const isToken = (text: string): boolean => ACCESS_TOKEN.test(text);

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const mayWrite = (scope: unknown): boolean =>
  typeof scope === 'string' && scope.split(' ').includes('memory:write');

/** The reach of a grant: never more than that of the key behind it. */
export const tokenTags = (grant: GrantRecord, key: KeyRecord): string[] | null => {
  const { tags } = grant;
  if (tags === null || key.tags === null) return tags ?? key.tags;
  return tags.filter((tag) => key.tags?.includes(tag));
};

export const createTokens =
  ({ grants, keys, isOwnResource }: TokensDeps) =>
  async (hash: string): Promise<RecognisedKey | null> => {
    const token = await grants.tokens.find('AccessToken', hash);
    const grant = token?.grantId == null ? null : await grants.byId(token.grantId);
    const key = grant === null ? null : await keys.byId(grant.keyId);
    if (token === null || grant === null || key === null) return null;
    const { aud, scope } = token.payload;
    if (!toArray(aud).some((one) => typeof one === 'string' && isOwnResource(one))) return null;
    const writes = [grant, key].every(({ permission }) => permission === 'write') && mayWrite(scope);
    return {
      ...key,
      name: grant.clientName,
      permission: writes ? 'write' : 'read',
      tags: tokenTags(grant, key),
      expiresAt: Math.min(
        grant.expiresAt,
        token.expiresAt ?? grant.expiresAt,
        key.expiresAt ?? grant.expiresAt,
      ),
      pluginId: null,
      grantId: grant.id,
    };
  };
