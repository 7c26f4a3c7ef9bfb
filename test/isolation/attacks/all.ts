// Lists every operation with the attacks on it.
import { operations } from '../../../tools/registry.generated.ts';
import { onAccess } from './access.ts';
import type { Attack } from './attack.ts';
import { onConnections } from './connections.ts';
import { onDocuments } from './documents.ts';
import { onMemories } from './memories.ts';
import { onOrganisation } from './organisation.ts';
import { onProfile } from './profile.ts';
import { onSearches } from './searches.ts';

export const attacks: Readonly<Record<string, readonly Attack[]>> = {
  ...onDocuments,
  ...onMemories,
  ...onSearches,
  ...onProfile,
  ...onAccess,
  ...onOrganisation,
  ...onConnections,
};

export const unguarded = (): string[] =>
  operations.filter(({ name }) => (attacks[name] ?? []).length === 0).map(({ name }) => name);
