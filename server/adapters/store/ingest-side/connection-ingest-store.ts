// The ledger of connections for the thread that syncs.
import type { ConnectionIngestStore } from '../ports/connections.ts';
import { goneWithDocument, wantedItems } from '../queries/connections/ledger.ts';
import type { IngestSideContext } from './context.ts';

export const connectionIngestStore = ({ db, call, now }: IngestSideContext): ConnectionIngestStore => ({
  leaseRun: (forMs) => call('leaseRun', forMs),
  storePage: (held, page, forMs) => call('storePage', held, page, forMs),
  endWholeLook: (held) => call('endWholeLook', held),
  wanted: (connection, limit) => wantedItems(db, connection, limit, now()),
  goneWithDocument: (connection, limit) => goneWithDocument(db, connection, limit),
  taken: (held, item, doc) => call('itemTaken', held, item, doc),
  failItem: (held, id, failure) => call('failItem', held, id, failure),
  forgetItems: (held, ids) => call('forgetItems', held, ids),
  endRun: (held, end) => call('endRun', held, end),
});
