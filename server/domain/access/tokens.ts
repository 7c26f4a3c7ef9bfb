// Recognises an access token: what its grant allows, and no more than the key behind it may do now.
import type { GrantRecord, GrantStore } from '../../adapters/store/grant-port.ts';
import type { KeyRecord, KeyStore } from '../../adapters/store/key-port.ts';

/** A key, or what a token that stands on it may do in its place. */
export type Recognised = KeyRecord & { grantId?: string };

export interface TokensDeps {
  grants: Pick<GrantStore, 'byId' | 'tokens'>;
  keys: Pick<KeyStore, 'byId'>;
  /** Whether a token that was made for this address is meant for this server. */
  isOwnResource(resource: string): boolean;
}

const ACCESS_TOKEN = /^[\w-]{43}$/;

export const isToken = (text: string): boolean => ACCESS_TOKEN.test(text);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const mayWrite = (scope: unknown): boolean =>
  typeof scope === 'string' && scope.split(' ').includes('memory:write');

function tagsOf(grant: GrantRecord, key: KeyRecord): string[] | null {
  const { tags } = grant;
  if (tags === null || key.tags === null) return tags ?? key.tags;
  return tags.filter((tag) => key.tags?.includes(tag));
}

export const createTokens =
  ({ grants, keys, isOwnResource }: TokensDeps) =>
  async (hash: string): Promise<Recognised | null> => {
    const token = await grants.tokens.find('AccessToken', hash);
    const grant = token?.grantId == null ? null : await grants.byId(token.grantId);
    const key = grant === null ? null : await keys.byId(grant.keyId);
    if (token === null || grant === null || key === null) return null;
    const { aud, scope } = token.payload;
    if (!listOf(aud).some((one) => typeof one === 'string' && isOwnResource(one))) return null;
    const writes = [grant, key].every(({ permission }) => permission === 'write') && mayWrite(scope);
    return {
      ...key,
      name: grant.clientName,
      permission: writes ? 'write' : 'read',
      tags: tagsOf(grant, key),
      expiresAt: Math.min(
        grant.expiresAt,
        token.expiresAt ?? grant.expiresAt,
        key.expiresAt ?? grant.expiresAt,
      ),
      pluginId: null,
      grantId: grant.id,
    };
  };
