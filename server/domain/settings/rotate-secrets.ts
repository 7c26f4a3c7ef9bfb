// Changes the key that seals secrets: everything is sealed with the new key, readable at every moment.
import type { RotationOutput } from '../../../tools/secrets/schemas/secrets.ts';
import type { SealedSecret, SecretStore } from '../../adapters/store/ports/secrets.ts';
import type { SettingsStore } from '../../adapters/store/ports/settings.ts';
import { isSealedNow, type SealKeys, seal, unseal } from '../../lib/seal.ts';
import { SECRETS } from './stored-settings.ts';

export interface Secrets {
  rotate(): Promise<RotationOutput>;
}

export interface SecretsDeps {
  readonly settings: Pick<SettingsStore, 'read'>;
  readonly store: SecretStore;
  readonly keysOf: Readonly<Record<SealedSecret['of'], () => SealKeys>>;
  /** Changes the key in the data folder; false: the settings hold it. */
  readonly changeKey: (isFormerUnused: boolean) => boolean;
}

const SLICE = 100;

/** The place that a sealed text is bound to. The secrets of the settings were bound to their names alone from the start. */
export const placeOfSecret = ({ of, id }: Pick<SealedSecret, 'of' | 'id'>): string => {
  if (of === 'setting') return id;
  return of === 'hook' ? `connection hook ${id}` : `connection ${id}`;
};

const CONNECTION_SECRETS = ['connection', 'hook', 'farewell'] as const;

async function* secretsInSlices(
  store: SecretsDeps['store'],
  of: (typeof CONNECTION_SECRETS)[number],
): AsyncGenerator<SealedSecret> {
  for (let after = ''; ; ) {
    const slice = await store.ofConnections(of, after, SLICE);
    yield* slice;
    after = slice.at(-1)?.id ?? after;
    if (slice.length < SLICE) return;
  }
}

async function* allSecrets({ settings, store }: SecretsDeps): AsyncGenerator<SealedSecret> {
  const stored = await settings.read();
  for (const id of SECRETS) {
    const sealed = stored[id];
    if (typeof sealed === 'string') yield { of: 'setting', id, sealed };
  }
  for (const of of CONNECTION_SECRETS) yield* secretsInSlices(store, of);
}

const areAllSealedNow = async (deps: SecretsDeps): Promise<boolean> => {
  for await (const secret of allSecrets(deps))
    if (!isSealedNow(deps.keysOf[secret.of](), secret.sealed)) return false;
  return true;
};

type Outcome = 'unchanged' | 'sealed' | 'unreadable';

/** One that changed meanwhile was sealed by whoever changed it. */
const sealAnew = async ({ store, keysOf }: SecretsDeps, secret: SealedSecret): Promise<Outcome> => {
  const keys = keysOf[secret.of]();
  if (isSealedNow(keys, secret.sealed)) return 'unchanged';
  const place = placeOfSecret(secret);
  const plain = unseal(keys, place, secret.sealed);
  if (plain === null) return 'unreadable';
  return (await store.replace(secret, seal(keys, place, plain))) ? 'sealed' : 'unchanged';
};

export const createSecrets = (deps: SecretsDeps): Secrets => ({
  async rotate() {
    const keyChanged = deps.changeKey(await areAllSealedNow(deps));
    const counts: Record<Outcome, number> = { unchanged: 0, sealed: 0, unreadable: 0 };
    const unreadable: string[] = [];
    for await (const secret of allSecrets(deps)) {
      const outcome = await sealAnew(deps, secret);
      counts[outcome]++;
      if (outcome === 'unreadable') unreadable.push(`${secret.of} ${secret.id}`);
    }
    return { keyChanged, sealed: counts.sealed, unchanged: counts.unchanged, unreadable };
  },
});
