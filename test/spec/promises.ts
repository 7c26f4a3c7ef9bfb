// Every promise of the service, joined from its groups. A test cites the promises it keeps: see verifies.ts.
import type { PromiseRow } from './promise.ts';
import { access } from './promises/access.ts';
import { agents } from './promises/agents.ts';
import { analytics } from './promises/analytics.ts';
import { audit } from './promises/audit.ts';
import { connectionHooks } from './promises/connection-hooks.ts';
import { content } from './promises/content.ts';
import { documentsAdd } from './promises/documents-add.ts';
import { documentsChange } from './promises/documents-change.ts';
import { documentsOutline } from './promises/documents-outline.ts';
import { documentsRead } from './promises/documents-read.ts';
import { facts } from './promises/facts.ts';
import { filters } from './promises/filters.ts';
import { memories } from './promises/memories.ts';
import { memoryOperations } from './promises/memory-operations.ts';
import { memoryVersions } from './promises/memory-versions.ts';
import { models } from './promises/models.ts';
import { namespaces } from './promises/namespaces.ts';
import { organisation } from './promises/organisation.ts';
import { processing } from './promises/processing.ts';
import { profile } from './promises/profile.ts';
import { resend } from './promises/resend.ts';
import { rights } from './promises/rights.ts';
import { search } from './promises/search.ts';
import { searchWindows } from './promises/search-windows.ts';
import { team } from './promises/team.ts';
import { wire } from './promises/wire.ts';

const rows = [
  ...documentsAdd,
  ...documentsRead,
  ...documentsOutline,
  ...documentsChange,
  ...resend,
  ...processing,
  ...content,
  ...search,
  ...searchWindows,
  ...filters,
  ...access,
  ...rights,
  ...wire,
  ...memories,
  ...memoryOperations,
  ...memoryVersions,
  ...facts,
  ...profile,
  ...models,
  ...organisation,
  ...connectionHooks,
  ...audit,
  ...analytics,
  ...namespaces,
  ...agents,
  ...team,
] as const;

export type PromiseId = (typeof rows)[number]['id'];

export const promises: readonly PromiseRow[] = rows;
