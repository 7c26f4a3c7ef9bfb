// The parts of the service, for operations and ways in.

import type { Health } from '../core/health.ts';
import type { Access } from '../domain/access/access.ts';
import type { Audit } from '../domain/audit/audit.ts';
import type { Connections } from '../domain/connections/connections.ts';
import type { HookReceiver } from '../domain/connections/hooks/receive-hook.ts';
import type { ConnectionSignIn } from '../domain/connections/sign-in/connection-sign-in.ts';
import type { Documents } from '../domain/documents/documents.ts';
import type { Files } from '../domain/documents/originals/files.ts';
import type { Memories } from '../domain/memories/memories.ts';
import type { Models } from '../domain/models/models.ts';
import type { Profile } from '../domain/profile/profile.ts';
import type { Search } from '../domain/search/search.ts';
import type { Secrets } from '../domain/settings/rotate-secrets.ts';
import type { OrganisationSettings } from '../domain/settings/settings.ts';
import type { Spaces } from '../domain/spaces/spaces.ts';
import type { Storage } from '../domain/storage/storage.ts';
import type { Projects } from '../domain/tags/projects.ts';
import type { Tags } from '../domain/tags/tags.ts';
import type { Team } from '../domain/team/team.ts';
import type { Usage } from '../domain/usage/usage.ts';

export interface Service {
  readonly orgId: string;
  readonly documents: Documents;
  readonly files: Files;
  readonly memories: Memories;
  readonly search: Search;
  readonly access: Access;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly models: Models;
  readonly spaces: Spaces;
  readonly storage: Storage;
  readonly tags: Tags;
  readonly projects: Projects;
  readonly settings: OrganisationSettings;
  readonly secrets: Secrets;
  readonly profile: Profile;
  readonly connections: Connections;
  readonly signIn: ConnectionSignIn;
  /** The deliveries of webhooks. */
  readonly hooks: HookReceiver;
  readonly team: Team;
  health(): Promise<Health>;
}
