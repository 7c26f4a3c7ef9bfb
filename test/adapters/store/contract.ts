// The contract of every database behind the store.
import { describe } from 'vitest';
import { auditContract } from './contract/audit.ts';
import { broadFiltersContract } from './contract/broad-filters.ts';
import { claimsContract } from './contract/claims.ts';
import { commitContract } from './contract/commit.ts';
import { connectionsContract } from './contract/connections.ts';
import { countersContract } from './contract/counters.ts';
import { drawnContract } from './contract/drawn.ts';
import { filesContract } from './contract/files.ts';
import { indexedContainersContract } from './contract/indexed-containers.ts';
import { keysContract } from './contract/keys.ts';
import { listContract } from './contract/list.ts';
import { memoriesContract } from './contract/memories.ts';
import { processingContract } from './contract/processing.ts';
import { purgeContract } from './contract/purge.ts';
import { recallContract } from './contract/recall.ts';
import { removeContract } from './contract/remove.ts';
import { requestsContract } from './contract/requests.ts';
import { scopesContract } from './contract/scopes.ts';
import { searchContract } from './contract/search.ts';
import { spacesContract } from './contract/spaces.ts';
import { submitContract } from './contract/submit.ts';
import { teamContract } from './contract/team.ts';
import { threadsContract } from './contract/threads.ts';
import { turnsContract } from './contract/turns.ts';
import { updateContract } from './contract/update.ts';
import { usageContract } from './contract/usage.ts';
import { versionsContract } from './contract/versions.ts';
import type { OpenStore } from './contract/world.ts';

export const storeContract = (name: string, open: OpenStore): void => {
  describe(name, () => {
    const parts = [
      submitContract,
      scopesContract,
      requestsContract,
      listContract,
      updateContract,
      removeContract,
      claimsContract,
      turnsContract,
      commitContract,
      countersContract,
      searchContract,
      broadFiltersContract,
      threadsContract,
      purgeContract,
      memoriesContract,
      drawnContract,
      versionsContract,
      recallContract,
      processingContract,
      spacesContract,
      indexedContainersContract,
      filesContract,
      keysContract,
      connectionsContract,
      auditContract,
      teamContract,
      usageContract,
    ];
    for (const part of parts) part(open);
  });
};
