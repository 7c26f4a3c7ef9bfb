// Stored secrets that no known key opens: a start is refused for them, unless their key was lost and they are given up.
import type { SealedSecret } from '../../adapters/store/ports/secrets.ts';
import { unavailable } from '../../core/errors.ts';
import type { Company } from '../../core/processes/company.ts';
import { secretName } from '../../domain/settings/rotate-secrets.ts';
import {
  allSecrets,
  giveUpSecret,
  placeOfSecret,
  type StoredSecrets,
} from '../../domain/settings/stored-secrets.ts';
import { isSealedElsewhere } from '../../lib/secrets/seal.ts';
import { PURPOSES, type SecretKeys } from './secret-key.ts';

const SHOWN = 3;

const namesOf = (secrets: readonly SealedSecret[]): string => {
  const names = secrets.slice(0, SHOWN).map(secretName).join(', ');
  return secrets.length <= SHOWN ? names : `${names} and ${secrets.length - SHOWN} more`;
};

const lostSecrets = async (stored: StoredSecrets, keys: SecretKeys): Promise<SealedSecret[]> =>
  (await allSecrets(stored)).filter((secret) =>
    isSealedElsewhere(keys.known(PURPOSES[secret.of]), placeOfSecret(secret), secret.sealed),
  );

/** No key is created and nothing is changed by a start that is refused. */
export const requireKeyOfSecrets = async (stored: StoredSecrets, keys: SecretKeys): Promise<void> => {
  const lost = await lostSecrets(stored, keys);
  if (lost.length === 0) return;
  throw unavailable(
    `The database holds secrets that were sealed with another key than that of ${keys.source}: ${namesOf(lost)}. Nothing was changed. Put the key back with which they were sealed, or name it in MEMOIR_SECRET_KEY_PREVIOUS. If it is lost, "memoir secrets forget" gives these secrets up.`,
  );
};

/** Answers with the names of the secrets that were given up. */
export const giveUpLostSecrets = async (
  stored: StoredSecrets,
  keys: SecretKeys,
  company: Company | null,
): Promise<string[]> => {
  const [fellow] = company?.fellows() ?? [];
  if (fellow !== undefined)
    throw unavailable(
      `Another process works on the database (${fellow.place}), so nothing was given up. Stop it first, or give this command its MEMOIR_SECRET_KEY.`,
    );
  const given: string[] = [];
  for (const secret of await lostSecrets(stored, keys))
    if (await giveUpSecret(stored, secret)) given.push(secretName(secret));
  return given;
};
