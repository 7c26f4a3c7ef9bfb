// Deliveries of webhooks: each is checked by the way of its source, and makes its connection look soon. Nothing of its content
// is believed, and nothing is asked of the source before it is answered.
import type { HookDelivery, HookVerdict, SourceKind } from '../../../adapters/connect/port.ts';
import type { FoundHook, HookStore } from '../../../adapters/store/ports/connections/hooks.ts';
import { sha256 } from '../../../lib/hash.ts';
import type { ConnectionSources } from '../sources.ts';
import { hashOfHookToken, openHookSecret, sealHookSecret } from './hook-secrets.ts';

export interface HookReceiverDeps {
  readonly store: Pick<HookStore, 'find' | 'secret' | 'heard' | 'replaceSecret'>;
  readonly sources: () => Promise<ConnectionSources>;
  /** Counts one delivery of a hook; rejects with 429 beyond a limit. */
  readonly admit: (tokenHash: string) => Promise<void>;
  readonly now: () => number;
}

export type HookOutcome =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'refused' }
  /** The source wants this text back. */
  | { readonly outcome: 'answer'; readonly text: string };

export interface OpenedHook {
  /** The body of a delivery is signed with it. */
  readonly secret: string;
  take(delivery: Omit<HookDelivery, 'secret'>): Promise<HookOutcome>;
}

export interface HookReceiver {
  /** Null: the source has no hook with this token. */
  open(provider: string, token: string): Promise<OpenedHook | null>;
}

interface Receiving {
  readonly deps: HookReceiverDeps;
  readonly sources: ConnectionSources;
  readonly hook: FoundHook & { readonly tokenHash: string; readonly sealed: string };
  readonly secret: string;
}

const REFUSED: HookOutcome = { outcome: 'refused' };
const TAKEN: HookOutcome = { outcome: 'taken' };
const LONGEST_ANSWER = 1024;

/** A text that no browser takes for markup. */
const inertText = (text: string): string =>
  text.slice(0, LONGEST_ANSWER).replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const hear = async (
  { deps, hook: { provider, tokenHash } }: Receiving,
  delivery: string | null,
  wakes: boolean,
): Promise<HookOutcome> => {
  const own = delivery === null ? null : sha256(`${tokenHash} ${delivery}`);
  await deps.store.heard({ tokenHash, provider, wakes, delivery: own });
  return TAKEN;
};

/** Only the first greeting names the secret. */
const keepSecret = async ({ deps, sources, hook, secret }: Receiving, told: string): Promise<HookOutcome> => {
  if (secret !== '') return REFUSED;
  const { tokenHash, sealed } = hook;
  const replacement = sealHookSecret(sources, tokenHash, told);
  return (await deps.store.replaceSecret(tokenHash, sealed, replacement)) ? TAKEN : REFUSED;
};

const actOn = async (receiving: Receiving, verdict: HookVerdict): Promise<HookOutcome> => {
  switch (verdict.kind) {
    case 'refuse':
      return REFUSED;
    case 'secret':
      return keepSecret(receiving, verdict.secret);
    case 'ignore':
      return hear(receiving, null, false);
    case 'answer':
      await hear(receiving, null, false);
      return { outcome: 'answer', text: inertText(verdict.text) };
    case 'wake':
      return hear(receiving, verdict.delivery, true);
  }
};

/** Null: its secret was sealed with a key that is lost. */
const openSecretOf = (
  sources: ConnectionSources,
  hook: { tokenHash: string; sealed: string },
): string | null => {
  try {
    return openHookSecret(sources, hook);
  } catch (error) {
    if (sources.failureOf(error) === null) throw error;
    return null;
  }
};

const openHook = async (
  deps: HookReceiverDeps,
  provider: string,
  token: string,
): Promise<OpenedHook | null> => {
  const tokenHash = hashOfHookToken(token);
  const found = tokenHash === null ? null : await deps.store.find(tokenHash);
  if (tokenHash === null || found === null || found.provider !== provider) return null;
  if (found.endsAt !== null && found.endsAt <= deps.now()) return null;
  await deps.admit(tokenHash);
  const sources = await deps.sources();
  const sealed = await deps.store.secret(tokenHash);
  if (sealed === null) return null;
  const hook = { ...found, tokenHash, sealed };
  const secret = openSecretOf(sources, hook);
  const kind: SourceKind | null = await sources.kind(provider);
  if (secret === null || kind?.checkHook === undefined) return null;
  return {
    secret,
    take: (delivery) =>
      actOn({ deps, sources, hook, secret }, kind.checkHook?.({ ...delivery, secret }) ?? { kind: 'refuse' }),
  };
};

export const createHookReceiver = (deps: HookReceiverDeps): HookReceiver => ({
  open: (provider, token) => openHook(deps, provider, token),
});
