// The store as the domain gets it: one port for each subject, gathered. SQL is the truth.

import type { WaitingConnection } from './connections/connections.ts';
import type { DocumentStore } from './documents.ts';
import type { FileStore } from './files.ts';
import type { GrantStore } from './grants.ts';
import type { KeyStore } from './keys.ts';
import type { ModelChoiceStore, Organisation, SigningKeyStore, StoreCounts } from './organisation.ts';
import type { SearchStore } from './search.ts';
import type { SpaceStore } from './spaces.ts';
import type { MailStore } from './team/mails.ts';
import type { TeamStore } from './team/team.ts';

/** Serves requests: every method takes a Scope first. */
export interface Store {
  documents: DocumentStore;
  search: SearchStore;
}

/** Serves the rules of access and the ingest thread. Never handed to an operation. */
export interface AccessStore {
  keys: KeyStore;
  grants: GrantStore;
  team: TeamStore;
  mails: MailStore;
  files: FileStore;
  spaces: SpaceStore;
  /** The organisation that this store belongs to; `fresh` becomes it at the first start. */
  organisation(fresh: Organisation): Promise<Organisation>;
  /** The sealed keys that sign for the connect page, where several processes share them. */
  signingKeys: SigningKeyStore;
  modelChoices: ModelChoiceStore;
  counts(): Promise<StoreCounts>;
  /** The time at which the document came that has waited longest; null: none waits. */
  oldestWaiting(): Promise<number | null>;
  /** Connections of the whole organisation that wait for a person. */
  waitingConnections(limit: number): Promise<WaitingConnection[]>;
}
