// Lists every operation and every path of the namespace API with the attacks on it.
import { namespaceRows } from '../../../server/http/namespaces/rows.ts';
import type { Operation } from '../../../tools/operation.ts';
import { operations } from '../../../tools/registry.generated.ts';
import { onAccess } from './access.ts';
import type { Attack } from './attack.ts';
import { onConnections } from './connections.ts';
import { onDocuments } from './documents.ts';
import { onMemories } from './memories.ts';
import { onNamespaces } from './namespaces.ts';
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
  ...onNamespaces,
};

export const attacked: readonly Operation[] = [...operations, ...namespaceRows];

export const unguarded = (): string[] =>
  attacked.filter(({ name }) => (attacks[name] ?? []).length === 0).map(({ name }) => name);
