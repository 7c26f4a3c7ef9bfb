// The key that the first boot makes, or that its owner gives.
import type { KeyStore } from '../../adapters/store/key-port.ts';
import { badRequest } from '../../errors.ts';
import { makeKey } from './create.ts';
import { hashKey, isKey } from './keys.ts';

const BAD_GIVEN_KEY =
  'MEMOIR_API_KEY must begin with "sm_" and have at least 17 more characters, none of them a space. ' +
  'Leave it unset to have a key made at the first start.';

export interface FirstKeyDeps {
  keys: Pick<KeyStore, 'byHash' | 'list' | 'create'>;
  orgId: string;
  now: () => number;
}

export interface FirstKeyRequest {
  given?: string | undefined;
}

/** The text of the key if this call made it, else null. */
export async function ensureFirstKey(
  { keys, orgId, now }: FirstKeyDeps,
  { given }: FirstKeyRequest,
): Promise<string | null> {
  if (given !== undefined && !isKey(given)) throw badRequest(BAD_GIVEN_KEY);
  const exists =
    given === undefined ? (await keys.list()).length > 0 : (await keys.byHash(hashKey(given))) !== null;
  if (exists) return null;
  const name = given === undefined ? 'First key' : 'Key from MEMOIR_API_KEY';
  const { key, record } = makeKey({
    orgId,
    now: now(),
    request: {},
    name,
    ...(given === undefined ? {} : { given }),
  });
  await keys.create(record);
  return key;
}
