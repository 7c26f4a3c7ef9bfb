// Builds everything once: config → adapters → domain → Service. Disposes in reverse.
import type { Access } from './domain/access/access.ts';
import type { Documents } from './domain/documents/documents.ts';
import type { Search } from './domain/search/search.ts';

export interface PartHealth {
  status: 'ok' | 'starting' | 'degraded' | 'down';
  detail?: string;
}

export interface Health {
  ready: boolean;
  version: string;
  parts: Record<string, PartHealth>;
}

export interface Service {
  readonly orgId: string;
  readonly documents: Documents;
  readonly search: Search;
  readonly access: Access;
  health(): Promise<Health>;
}
