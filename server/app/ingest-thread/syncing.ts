// The runs of connections in the ingest thread.
import { SourceError } from '../../adapters/connect/source-error.ts';
import type { LeasedRun } from '../../adapters/store/ports/connections/connections.ts';
import type { Farewell } from '../../adapters/store/ports/connections/hooks.ts';
import { createHookDuty } from '../../domain/connections/hooks/hook-duty.ts';
import type { HookDuty, OpenedConnection } from '../../domain/connections/syncing/context.ts';
import { leaveOutRules } from '../../domain/connections/syncing/leave-out.ts';
import { createSyncer } from '../../domain/connections/syncing/syncer.ts';
import type { BackgroundWorker } from '../../lib/async/background/worker.ts';
import { pause } from '../../lib/async/wait.ts';
import type { WorkWatch } from '../../lib/async/work-watch.ts';
import { newId } from '../../lib/ids.ts';
import type { SourceOpener } from '../connections/open-source.ts';
import { sourceFailure } from '../connections/source-failure.ts';
import { createSourcesOnDemand, type SourcesOnDemand } from '../connections/sources-on-demand.ts';
import { openSecretKeys } from '../data-folder/secret-key.ts';
import type { Log } from '../log.ts';
import type { ContentReaders } from './content-readers.ts';
import type { OpenedIngestSide } from './ingest-side.ts';
import type { IngestSettings } from './settings.ts';

export interface SyncingParts {
  readonly side: Pick<OpenedIngestSide, 'connections' | 'hooks' | 'settings' | 'now'>;
  readonly settings: IngestSettings;
  readonly content: Pick<ContentReaders, 'blobs' | 'readLinks'>;
  readonly log: Log;
  readonly watch: WorkWatch;
  submitted(): void;
  removed(): void;
}

const openSourceOfRun = (
  { side, log }: SyncingParts,
  opener: SourceOpener,
  { connection, record, sealed }: Pick<LeasedRun, 'connection' | 'record' | 'sealed'>,
): Promise<OpenedConnection> => {
  const store = side.connections;
  const { provider, account, metadata } = record;
  return opener.open(
    { id: connection, provider, account, metadata, secrets: opener.unseal(connection, sealed) },
    {
      load: async () => opener.unseal(connection, await store.readSecrets(connection)),
      store: (secrets) => store.storeSecrets(connection, opener.seal(connection, secrets)),
      silenced: (until) => {
        store
          .silence(connection, until)
          .catch((error) => log.warn({ err: error }, 'The silence of a source could not be stored.'));
      },
    },
  );
};

/** Its secrets are renewed in memory alone: they end with it. */
const openRemoved = (opener: SourceOpener, farewell: Farewell): Promise<OpenedConnection> => {
  const { id, provider, account, metadata } = farewell;
  let secrets = opener.unseal(id, farewell.sealed);
  return opener.open(
    { id, provider, account, metadata, secrets },
    {
      load: async () => secrets,
      async store(renewed) {
        secrets = renewed;
      },
    },
  );
};

const openHookDuty = (parts: SyncingParts, sources: SourcesOnDemand): HookDuty => {
  const { side, settings, log } = parts;
  return createHookDuty({
    store: side.hooks,
    sources: sources.load,
    open: async (leased) => openSourceOfRun(parts, await sources.load(), leased),
    openRemoved: async (farewell) => openRemoved(await sources.load(), farewell),
    base: settings.connections.hookBase,
    failureOf: sourceFailure,
    now: side.now,
    log,
  });
};

export interface Syncing extends BackgroundWorker {
  close(): Promise<void>;
}

export const openSyncing = (parts: SyncingParts): Syncing => {
  const { side, settings, log, watch, submitted, removed } = parts;
  const { blobs, readLinks } = parts.content;
  const { connections, content } = settings;
  const sources = createSourcesOnDemand({
    ...{ userAgent: content.userAgent, standIns: content.standIns, readLinks, now: side.now, log },
    privateHosts: connections.privateHosts,
    sealKeys: openSecretKeys(connections.keys).sealing('secrets of connections'),
  });
  const syncer = createSyncer({
    store: side.connections,
    open: async (run) => openSourceOfRun(parts, await sources.load(), run),
    hookDuty: openHookDuty(parts, sources),
    failureOf: sourceFailure,
    failWith: (code, message) => new SourceError(code, message),
    rules: async () => leaveOutRules(await side.settings.read()),
    ...{ blobs, newId, pause, log, watch, submitted, removed },
    now: side.now,
    random: Math.random,
    lookMinutes: connections.lookMinutes,
  });
  return { ...syncer, close: sources.close };
};
