// The settings as they are stored, and the list of those that are sealed.
import type { ProfileBucket } from '../../adapters/store/ports/tags.ts';

/** Text, or a connector's patterns by kind. */
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

/** Settings that do nothing unless the filter is on. */
export const OF_THE_FILTER = ['filterPrompt', 'includeItems', 'excludeItems', 'categories'] as const;

/** Every organisation has this bucket; settings can replace its description. */
export const BUILTIN_BUCKETS: readonly ProfileBucket[] = [
  {
    key: 'preferences',
    description: 'What the person likes, dislikes and prefers, and how they want things done.',
  },
];
