// Connections: one run at a time, a ledger that survives every crash, and removals that are believed only with care.
import { describe } from 'vitest';
import { folderContract } from './connections/folders.ts';
import { hiddenContract } from './connections/hidden.ts';
import { hookContract } from './connections/hooks.ts';
import { leaseContract, ledgerContract } from './connections/ledger.ts';
import { recordContract } from './connections/records.ts';
import { removalContract } from './connections/removals.ts';
import { signInContract } from './connections/sign-ins.ts';
import { type OpenStore, openWorld } from './world.ts';

export const connectionsContract = (open: OpenStore): void => {
  describe('connections', () => {
    const opened = () => openWorld(open);
    recordContract(opened);
    leaseContract(opened);
    ledgerContract(opened);
    removalContract(opened);
    hiddenContract(opened);
    folderContract(opened);
    signInContract(opened);
    hookContract(opened);
  });
};
