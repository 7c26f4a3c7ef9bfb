// The sealed secrets of a store, wherever they lie.
import type { SigningKeyStore } from '../../adapters/store/ports/organisation.ts';
import type { ConnectionSecret, SealedSecret, SecretStore } from '../../adapters/store/ports/secrets.ts';
import type { SettingsStore } from '../../adapters/store/ports/settings.ts';
import { SECRETS } from './stored-settings.ts';

export interface StoredSecrets {
  readonly settings: Pick<SettingsStore, 'read'>;
  readonly secrets: SecretStore;
  readonly signingKeys: SigningKeyStore;
}

/** The mark in the place of a secret that was given up, because its key was lost. */
const GIVEN_UP = 'given up';

/** The place that the signing keys are sealed for. */
export const SIGNING_KEYS = 'signing keys';

/** The place that a sealed text is bound to. The secrets of the settings were bound to their names alone from the start. */
export const placeOfSecret = ({ of, id }: Pick<SealedSecret, 'of' | 'id'>): string => {
  if (of === 'setting' || of === SIGNING_KEYS) return id;
  return of === 'hook' ? `connection hook ${id}` : `connection ${id}`;
};

const SLICE = 500;
const CONNECTION_SECRETS = ['connection', 'hook', 'farewell'] as const;

const connectionSecrets = async (store: SecretStore, of: ConnectionSecret): Promise<SealedSecret[]> => {
  const found: SealedSecret[] = [];
  for (let after = ''; ; ) {
    const slice = await store.ofConnections(of, after, SLICE);
    found.push(...slice);
    after = slice.at(-1)?.id ?? after;
    if (slice.length < SLICE) return found;
  }
};

const settingSecrets = async ({ read }: StoredSecrets['settings']): Promise<SealedSecret[]> => {
  const stored = await read();
  return SECRETS.flatMap((id) => {
    const sealed = stored[id];
    return typeof sealed === 'string' ? [{ of: 'setting' as const, id, sealed }] : [];
  });
};

const signingSecrets = async ({ read }: SigningKeyStore): Promise<SealedSecret[]> => {
  const sealed = await read();
  return sealed === null ? [] : [{ of: SIGNING_KEYS, id: SIGNING_KEYS, sealed }];
};

/** All but those that were given up. */
export const allSecrets = async ({
  settings,
  secrets,
  signingKeys,
}: StoredSecrets): Promise<SealedSecret[]> => {
  const found = await Promise.all([
    settingSecrets(settings),
    signingSecrets(signingKeys),
    ...CONNECTION_SECRETS.map((of) => connectionSecrets(secrets, of)),
  ]);
  return found.flat().filter(({ sealed }) => sealed !== GIVEN_UP);
};

/** False: it was changed meanwhile, and stays as it is. */
export const replaceStoredSecret = async (
  { secrets, signingKeys }: StoredSecrets,
  { of, id, sealed }: SealedSecret,
  replacement: string,
): Promise<boolean> =>
  of === SIGNING_KEYS
    ? (await signingKeys.replace(sealed, replacement)) === replacement
    : secrets.replace({ of, id, sealed }, replacement);

/** Connections sign out, and settings say that the secret cannot be opened. */
export const giveUpSecret = (stored: StoredSecrets, secret: SealedSecret): Promise<boolean> =>
  replaceStoredSecret(stored, secret, GIVEN_UP);
