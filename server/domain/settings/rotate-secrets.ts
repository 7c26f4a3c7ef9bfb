// Changes the key that seals secrets: everything is sealed with the new key, readable at every moment.
import type { RotationOutput } from '../../../tools/secrets/schemas/secrets.ts';
import type { SealedSecret } from '../../adapters/store/ports/secrets.ts';
import { isSealedNow, type SealKeys, seal, unseal } from '../../lib/secrets/seal.ts';
import { allSecrets, placeOfSecret, replaceStoredSecret, type StoredSecrets } from './stored-secrets.ts';

export interface Secrets {
  rotate(): Promise<RotationOutput>;
}

export interface SecretsDeps {
  readonly stored: StoredSecrets;
  /** Read anew at each call: the key changes meanwhile. */
  readonly keysOf: (of: SealedSecret['of']) => SealKeys;
  /** Changes the key in the data folder; false: the settings hold it. */
  readonly changeKey: (isFormerUnused: boolean) => boolean;
}

const areAllSealedNow = async ({ stored, keysOf }: SecretsDeps): Promise<boolean> =>
  (await allSecrets(stored)).every(({ of, sealed }) => isSealedNow(keysOf(of), sealed));

type Outcome = 'unchanged' | 'sealed' | 'unreadable';

/** One that changed meanwhile was sealed by whoever changed it. */
const sealAnew = async ({ stored, keysOf }: SecretsDeps, secret: SealedSecret): Promise<Outcome> => {
  const keys = keysOf(secret.of);
  if (isSealedNow(keys, secret.sealed)) return 'unchanged';
  const place = placeOfSecret(secret);
  const plain = unseal(keys, place, secret.sealed);
  if (plain === null) return 'unreadable';
  return (await replaceStoredSecret(stored, secret, seal(keys, place, plain))) ? 'sealed' : 'unchanged';
};

/** The name of a secret, for people. */
export const secretName = ({ of, id }: SealedSecret): string => (of === id ? `the ${of}` : `${of} ${id}`);

export const createSecrets = (deps: SecretsDeps): Secrets => ({
  async rotate() {
    const keyChanged = deps.changeKey(await areAllSealedNow(deps));
    const counts: Record<Outcome, number> = { unchanged: 0, sealed: 0, unreadable: 0 };
    const unreadable: string[] = [];
    for (const secret of await allSecrets(deps.stored)) {
      const outcome = await sealAnew(deps, secret);
      counts[outcome]++;
      if (outcome === 'unreadable') unreadable.push(secretName(secret));
    }
    return { keyChanged, sealed: counts.sealed, unchanged: counts.unchanged, unreadable };
  },
});
