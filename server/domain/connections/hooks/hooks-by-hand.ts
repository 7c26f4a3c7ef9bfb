// Webhooks that a person sets up at the source: the address to be pasted there, and the token that the source sends in return.
import type { HandMadeHookOutput } from '../../../../tools/connections/schemas/connections.ts';
import type { SourceKind } from '../../../adapters/connect/port.ts';
import type { ConnectionRecord } from '../../../adapters/store/ports/connections/connections.ts';
import type { HookStore, KeptHook } from '../../../adapters/store/ports/connections/hooks.ts';
import { badRequest, notFound } from '../../../core/errors.ts';
import type { Caller } from '../../../core/principal.ts';
import { defined } from '../../../lib/defined.ts';
import { sha256 } from '../../../lib/hash.ts';
import { hookAddress } from '../../../lib/own-address.ts';
import { connectionNote } from '../connection-note.ts';
import { type CreateDeps, requireKind } from '../create-connection.ts';
import { noHooksByHand, noSuchConnection, notReady } from '../refusals.ts';
import { findConnection } from '../stored-connection.ts';
import { newHookSecret, openHookSecret, sealHookSecret } from './hook-secrets.ts';

export interface HooksByHandDeps extends CreateDeps {
  readonly hooks: Pick<HookStore, 'makeByHand' | 'byHand'>;
  /** The public https address of this server; null: there is none. */
  readonly hookBase: string | null;
}

export interface HooksByHand {
  makeHook(caller: Caller, id: string): Promise<HandMadeHookOutput>;
  readHook(caller: Caller, id: string): Promise<HandMadeHookOutput>;
}

const requireByHand = async (
  deps: HooksByHandDeps,
  caller: Caller,
  id: string,
): Promise<{ kind: SourceKind; record: ConnectionRecord }> => {
  const record = await findConnection(deps, caller, id);
  const kind = await requireKind(await deps.sources(), record.provider);
  if (kind.hooksByHand !== true) throw noHooksByHand(kind.title);
  return { kind, record };
};

const hookState = ({ heardAt }: KeptHook, secret: string): HandMadeHookOutput['state'] => {
  if (secret === '') return 'waiting';
  return heardAt === null ? 'verify' : 'alive';
};

const makeOne = async (deps: HooksByHandDeps, caller: Caller, id: string): Promise<HandMadeHookOutput> => {
  const { kind, record } = await requireByHand(deps, caller, id);
  const { state } = record;
  if (state === 'waiting' || state === 'signed_out') throw notReady(state);
  if (deps.hookBase === null)
    throw badRequest(
      `${kind.title} can call a public https address only. Set MEMOIR_BASE_URL to that of this server, and restart.`,
    );
  const token = newHookSecret();
  const tokenHash = sha256(token);
  const sealed = sealHookSecret(await deps.sources(), tokenHash, '');
  const hook = { tokenHash, sealed, base: deps.hookBase };
  const note = connectionNote(caller, record, { change: 'makeHook' });
  if (!(await deps.hooks.makeByHand(caller.scope, id, hook, note))) throw noSuchConnection(id);
  return { state: 'waiting', url: hookAddress(deps.hookBase, kind.provider, token) };
};

const readOne = async (deps: HooksByHandDeps, caller: Caller, id: string): Promise<HandMadeHookOutput> => {
  await requireByHand(deps, caller, id);
  const hook = await deps.hooks.byHand(caller.scope, id);
  if (hook === null)
    throw notFound('The connection has no webhook. Make one with POST /v3/connections/{id}/hook.');
  const secret = openHookSecret(await deps.sources(), hook);
  const state = hookState(hook, secret);
  return { state, ...defined({ verificationToken: state === 'verify' ? secret : undefined }) };
};

export const createHooksByHand = (deps: HooksByHandDeps): HooksByHand => ({
  makeHook: (caller, id) => makeOne(deps, caller, id),
  readHook: (caller, id) => readOne(deps, caller, id),
});
