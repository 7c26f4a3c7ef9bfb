// The store as the ingest thread uses it. It sees every tag and so is never handed to a caller.
import type { BackfillStore } from './backfill.ts';
import type { ClaimStore } from './claims.ts';
import type { CommitStore } from './commits.ts';
import type { EraseStore } from './erasing.ts';
import type { IndexedContainerStore, OutboxStore } from './outbox.ts';
import type { OutlineStore } from './outlines.ts';

export interface IngestStore
  extends ClaimStore,
    CommitStore,
    OutboxStore,
    IndexedContainerStore,
    BackfillStore,
    EraseStore,
    OutlineStore {}
