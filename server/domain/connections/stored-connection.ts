// A stored connection: found for its caller, and opened to ask its source.
import type { ConnectionRecord } from '../../adapters/store/ports/connections/connections.ts';
import type { Caller } from '../../core/principal.ts';
import { askingSource, type CreateDeps } from './create-connection.ts';
import { noSuchConnection, notReady } from './refusals.ts';
import type { ConnectionSources } from './sources.ts';
import type { OpenedConnection } from './syncing/context.ts';

export const findConnection = async (
  { store }: CreateDeps,
  caller: Caller,
  id: string,
): Promise<ConnectionRecord> => {
  const record = await store.get(caller.scope, id);
  if (record === null) throw noSuchConnection(id);
  return record;
};

export const openStored = async (
  deps: CreateDeps,
  caller: Caller,
  record: ConnectionRecord,
): Promise<{ sources: ConnectionSources; opened: OpenedConnection }> => {
  if (record.state === 'waiting' || record.state === 'signed_out') throw notReady(record.state);
  const sources = await deps.sources();
  const { id, provider, account, metadata } = record;
  const load = async () => sources.unseal(id, await deps.store.secrets(caller.scope, id));
  const opened = await askingSource(sources, async () =>
    sources.open(
      { id, provider, account, metadata, secrets: await load() },
      { load, store: (secrets) => deps.store.renewSecrets(caller.scope, id, sources.seal(id, secrets)) },
    ),
  );
  return { sources, opened };
};
