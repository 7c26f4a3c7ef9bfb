// The settings as they are stored, and what is sealed among them.
import type { ProfileBucket } from '../../adapters/store/tag-port.ts';

/** Words; or a connector's patterns, by kind. */
export type Items = string[] | Record<string, string[]>;

export interface StoredSettings {
  shouldLLMFilter?: boolean;
  filterPrompt?: string;
  includeItems?: Items;
  excludeItems?: Items;
  categories?: string[];
  chunkSize?: number;
  profileBuckets?: ProfileBucket[];
  workspacePrompt?: string;
  [name: string]: unknown;
}

export const SECRETS = [
  'googleDriveClientSecret',
  'notionClientSecret',
  'onedriveClientSecret',
  'githubClientSecret',
] as const;
export type SecretName = (typeof SECRETS)[number];

/** They do nothing unless the filter is on. */
export const OF_THE_FILTER = ['filterPrompt', 'includeItems', 'excludeItems', 'categories'] as const;

/** Every organisation has it; naming it in the settings describes it anew. */
export const BUILTIN_BUCKETS: readonly ProfileBucket[] = [
  {
    key: 'preferences',
    description: 'What the person likes, dislikes and prefers, and how they want things done.',
  },
];
