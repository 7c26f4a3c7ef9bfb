// Inputs and outputs of the operations on the organisation's settings.
import { z } from 'zod';
import { bucketsOutput, profileBuckets } from '../../shared/buckets.ts';
import { singleLine } from '../../shared/primitives.ts';

const items = (what: string) =>
  z
    .union(
      [
        z.array(singleLine(1, 20)).max(100).describe('Words'),
        z.record(z.string().max(64), z.array(z.string().max(1024)).max(1000)).describe('Patterns by kind'),
      ],
      { error: 'must be a list of texts of 1–20 characters, or lists of patterns by kind' },
    )
    .nullable()
    .optional()
    .describe(`${what}: texts of 1–20 characters; needs shouldLLMFilter.`);

const enabled = (provider: string) =>
  z
    .boolean()
    .nullable()
    .optional()
    .describe(`True: connections to ${provider} use the credentials given here.`);
const clientId = (provider: string) =>
  z.string().min(1).max(1024).nullable().optional().describe(`Your own client id for ${provider}.`);
const clientSecret = (provider: string) =>
  z
    .string()
    .min(1)
    .max(4096)
    .nullable()
    .optional()
    .describe(
      `Your own client secret for ${provider}. It is stored encrypted, and shown as •••• and its last four characters. If you send it back in that form, it stays unchanged.`,
    );

/** A missing field keeps its value; null removes it. */
export const settingsInput = z.object({
  shouldLLMFilter: z
    .boolean()
    .nullable()
    .optional()
    .describe('True: filterPrompt and the lists below guide which memories are drawn.'),
  filterPrompt: z
    .string()
    .min(1)
    .max(750)
    .nullable()
    .optional()
    .describe(
      'A description of the information that matters to the organisation, 1–750 characters. It guides which memories are drawn from new content. Needs shouldLLMFilter.',
    ),
  includeItems: items('Information to keep'),
  excludeItems: items('Information to leave out'),
  categories: z
    .array(singleLine(1, 50))
    .max(50)
    .nullable()
    .optional()
    .describe(
      'Categories of important information, each 1–50 characters. Information in a category is remembered first. Default: three to five categories from filterPrompt. Needs shouldLLMFilter.',
    ),
  chunkSize: z
    .int32()
    .nullable()
    .optional()
    .describe(
      'The length of passages of new content in characters: 100 to 6,000. A value outside this range counts as the nearest limit. Passages still end at the end of a sentence or section. -1, 0 or null: the default. Existing chunks stay as they are.',
    ),
  googleDriveCustomKeyEnabled: enabled('Google Drive'),
  googleDriveClientId: clientId('Google Drive'),
  googleDriveClientSecret: clientSecret('Google Drive'),
  notionCustomKeyEnabled: enabled('Notion'),
  notionClientId: clientId('Notion'),
  notionClientSecret: clientSecret('Notion'),
  onedriveCustomKeyEnabled: enabled('OneDrive'),
  onedriveClientId: clientId('OneDrive'),
  onedriveClientSecret: clientSecret('OneDrive'),
  githubCustomKeyEnabled: enabled('GitHub'),
  githubClientId: clientId('GitHub'),
  githubClientSecret: clientSecret('GitHub'),
  profileBuckets: profileBuckets
    .optional()
    .describe('The profile buckets of all container tags. Replaces the whole list.'),
  workspacePrompt: z
    .string()
    .max(1500)
    .nullable()
    .optional()
    .describe('A description of the workspace, up to 1,500 characters.'),
});
export type SettingsInput = z.output<typeof settingsInput>;

const nullByDefault = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

const itemsOutput = (what: string) =>
  nullByDefault(z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))])).describe(what);
const nullableSettingText = (what: string) => nullByDefault(z.string()).describe(what);
const nullableSettingFlag = (what: string) => nullByDefault(z.boolean()).describe(what);

const own = 'True if connections use the credentials given here.';
const sealedSecret = 'The client secret, masked; null: not set.';

/** A setting that was never set is null. */
export const settingsOutput = z.object({
  shouldLLMFilter: nullableSettingFlag('True if filterPrompt and the lists are in use.'),
  filterPrompt: nullableSettingText('The description of the information that matters to the organisation.'),
  includeItems: itemsOutput('Information to keep.'),
  excludeItems: itemsOutput('Information to leave out.'),
  categories: nullByDefault(z.array(z.string())).describe(
    'Categories of important information: the ones that were set, otherwise those from filterPrompt.',
  ),
  chunkSize: nullByDefault(z.int()).describe('The length of passages in characters.'),
  googleDriveCustomKeyEnabled: nullableSettingFlag(own),
  googleDriveClientId: nullableSettingText('The client id.'),
  googleDriveClientSecret: nullableSettingText(sealedSecret),
  notionCustomKeyEnabled: nullableSettingFlag(own),
  notionClientId: nullableSettingText('The client id.'),
  notionClientSecret: nullableSettingText(sealedSecret),
  onedriveCustomKeyEnabled: nullableSettingFlag(own),
  onedriveClientId: nullableSettingText('The client id.'),
  onedriveClientSecret: nullableSettingText(sealedSecret),
  githubCustomKeyEnabled: nullableSettingFlag(own),
  githubClientId: nullableSettingText('The client id.'),
  githubClientSecret: nullableSettingText(sealedSecret),
  profileBuckets: bucketsOutput.describe('The profile buckets of all container tags.'),
  workspacePrompt: nullableSettingText('The description of the workspace.'),
});
export type SettingsOutput = z.input<typeof settingsOutput>;

export const settingsUpdated = z.object({
  orgId: z.string().describe('The id of the organisation.'),
  orgSlug: z.string().describe('The same as orgId; the organisation has no other name.'),
  updated: settingsOutput.describe('All settings after the change.'),
});
export type SettingsUpdated = z.input<typeof settingsUpdated>;

export const resetInput = z.object({
  confirmation: z
    .string()
    .min(1)
    .max(255)
    .describe('The id of the organisation, as GET /v3/session shows it.'),
});

const count = z.int().min(0);

export const resetOutput = z.object({
  success: z.literal(true).describe('True.'),
  deletedConnections: count.describe('The number of deleted connections.'),
  deletedDocumentBatches: count.describe('The number of steps in which the documents were deleted.'),
  deletedDocumentsApprox: count.describe('The number of deleted documents.'),
  deletedMemoryRows: count.describe('The number of deleted memories, counting all versions.'),
  deletedExtraSpaces: count.describe('The number of deleted container tags; the default one stays.'),
  clearedDefaultSpaceContext: z
    .boolean()
    .describe('True if a description of the default container tag was removed.'),
  clearedBrainMemoryRegistry: z.boolean().describe('Always false: Memoir has no such registry.'),
  settingsReset: z.boolean().describe('True.'),
});
export type ResetOutput = z.input<typeof resetOutput>;

export const suggestedBuckets = z.object({
  suggestions: bucketsOutput.describe('Three to six profile buckets; they are not saved.'),
});
export type SuggestedBuckets = z.input<typeof suggestedBuckets>;
