// What every database behind the store has to do alike.
import { describe } from 'vitest';
import { listContract } from './contract/list.ts';
import { scopesContract } from './contract/scopes.ts';
import { submitContract } from './contract/submit.ts';
import type { OpenStore } from './contract/world.ts';

export const storeContract = (name: string, open: OpenStore): void => {
  describe(name, () => {
    for (const part of [submitContract, scopesContract, listContract]) part(open);
  });
};
