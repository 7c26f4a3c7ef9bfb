// The ledger of connections for the thread that syncs.
import { createHandover, type HeldLease } from '../../../lib/async/background/handover.ts';
import type { ConnectionIngestStore } from '../ports/connections/connections.ts';
import { pathOfFolder } from '../queries/connections/choice.ts';
import { readSecrets } from '../queries/connections/connections.ts';
import { ledgerFiles } from '../queries/connections/filter.ts';
import { unfinishedRemoval } from '../queries/connections/remove.ts';
import { dueRun, nextRunAt } from '../queries/connections/runs.ts';
import { nextWantedAt, unseenItems, waitingDocuments, wantedItems } from '../queries/connections/take.ts';
import { newLease } from '../queries/memories/remembering/memory-lease.ts';
import type { IngestSideContext } from './context.ts';

type Reads =
  | 'nextRunAt'
  | 'files'
  | 'wanted'
  | 'nextWantedAt'
  | 'pathOf'
  | 'waitingDocuments'
  | 'unseen'
  | 'readSecrets';

const ledgerReads = ({ db, now }: IngestSideContext): Pick<ConnectionIngestStore, Reads> => ({
  nextRunAt: () => nextRunAt(db),
  files: (connection, after, limit) => ledgerFiles(db, connection, after, limit),
  wanted: (connection, limit) => wantedItems(db, connection, limit, now()),
  nextWantedAt: (connection) => nextWantedAt(db, connection),
  pathOf: (connection, folder) => pathOfFolder(db, connection, folder),
  waitingDocuments: (connection) => waitingDocuments(db, connection),
  unseen: (connection, before, limit) => unseenItems(db, connection, before, limit),
  readSecrets: (connection) => readSecrets(db, connection),
});

export const connectionIngestStore = (context: IngestSideContext): ConnectionIngestStore => {
  const { call, boot, db, now } = context;
  const handover = createHandover(({ lease, work }: HeldLease<string>) =>
    call('giveBackConnection', work, lease),
  );
  return {
    ...ledgerReads(context),
    leaseRun: (forMs) =>
      handover.claim(
        newLease(boot),
        () => dueRun(db, now()),
        ({ lease, work }) => call('leaseRun', work, { lease, forMs }),
      ),
    renew: (held, forMs, counts) => call('renewRun', held, forMs, counts),
    storePage: (held, page, rules, forMs) => call('storePage', held, page, rules, forMs),
    settleChoice: (held) => call('settleChoice', held),
    endWholeLook: (held, rules) => call('endWholeLook', held, rules),
    applyFilter: (held, changes) => call('applyFilter', held, changes),
    take: (held, taken, rules) => call('takeItem', held, taken, rules),
    failItem: (held, id, failure) => call('failItem', held, id, failure),
    skipItem: (held, skipped, rules) => call('skipItem', held, skipped, rules),
    noteGone: (held, ids, rules) => call('noteItemsGone', held, ids, rules),
    removeGone: (held, limit) => call('removeGone', held, limit),
    endRun: (held, end) =>
      handover.under({ lease: held.lease, work: held.connection }, () => call('endRun', held, end)),
    storeSecrets: (connection, sealed) => call('storeSecrets', connection, sealed),
    silence: (connection, until) => call('silenceConnection', connection, until),
    noteHere: (held, ids) => call('noteItemsHere', held, ids),
    // Looked for without a write, which all others would wait for.
    finishRemovals: async () => (await unfinishedRemoval(context.db)) !== null && call('finishRemovals'),
  };
};
