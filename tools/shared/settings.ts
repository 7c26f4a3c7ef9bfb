// The organisation's settings: what is asked and answered.
import { z } from 'zod';
import { bucketsOutput, profileBuckets } from './buckets.ts';
import { line } from './primitives.ts';

const items = (what: string) =>
  z
    .union(
      [
        z.array(line(1, 20)).max(100).describe('Words'),
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
    .describe(`Whether connections to ${provider} use the credentials given here.`);
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
      `Your own client secret for ${provider}: sealed when stored, and read as •••• and its last four characters. Sent back in that form it stays.`,
    );

/** What is left out stays, null takes it away. */
export const settingsInput = z.object({
  shouldLLMFilter: z
    .boolean()
    .nullable()
    .optional()
    .describe('Whether filterPrompt and the lists below guide what is remembered.'),
  filterPrompt: z
    .string()
    .min(1)
    .max(750)
    .nullable()
    .optional()
    .describe(
      'What matters to the organisation, 1–750 characters; guides what is drawn from new content. Needs shouldLLMFilter.',
    ),
  includeItems: items('What is to be kept'),
  excludeItems: items('What is to be left out'),
  categories: z
    .array(line(1, 50))
    .max(50)
    .nullable()
    .optional()
    .describe(
      'Categories of what matters, each 1–50 characters; what belongs to one is remembered before other things. Left out, three to five are taken from filterPrompt. Needs shouldLLMFilter.',
    ),
  chunkSize: z
    .int32()
    .nullable()
    .optional()
    .describe(
      'How long the passages of new content are to be, in characters: 100 to 6,000, what lies outside counts as the nearest. They still end where sentences and sections do. -1, 0 or null: the default. What was cut before stays as it is.',
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
    .describe('The profile buckets of every container tag; replaces the whole list.'),
  workspacePrompt: z
    .string()
    .max(1500)
    .nullable()
    .optional()
    .describe('What the workspace is about, up to 1,500 characters.'),
});
export type SettingsInput = z.output<typeof settingsInput>;

const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

const itemsOutput = (what: string) =>
  orNull(z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))])).describe(what);
const text = (what: string) => orNull(z.string()).describe(what);
const truth = (what: string) => orNull(z.boolean()).describe(what);

const own = 'Whether connections use the credentials given here.';
const sealedSecret = 'The client secret, masked; null: none was set.';

/** A setting that was never set is null. */
export const settingsOutput = z.object({
  shouldLLMFilter: truth('Whether the prompt and the lists are in force.'),
  filterPrompt: text('What matters to the organisation.'),
  includeItems: itemsOutput('What is to be kept.'),
  excludeItems: itemsOutput('What is to be left out.'),
  categories: orNull(z.array(z.string())).describe(
    'Categories of what matters: those that were set, else those that filterPrompt names.',
  ),
  chunkSize: orNull(z.int()).describe('As it was set.'),
  googleDriveCustomKeyEnabled: truth(own),
  googleDriveClientId: text('The client id.'),
  googleDriveClientSecret: text(sealedSecret),
  notionCustomKeyEnabled: truth(own),
  notionClientId: text('The client id.'),
  notionClientSecret: text(sealedSecret),
  onedriveCustomKeyEnabled: truth(own),
  onedriveClientId: text('The client id.'),
  onedriveClientSecret: text(sealedSecret),
  githubCustomKeyEnabled: truth(own),
  githubClientId: text('The client id.'),
  githubClientSecret: text(sealedSecret),
  profileBuckets: bucketsOutput.describe('The profile buckets of every container tag.'),
  workspacePrompt: text('What the workspace is about.'),
});
export type SettingsOutput = z.input<typeof settingsOutput>;

export const settingsUpdated = z.object({
  orgId: z.string().describe('The organisation.'),
  orgSlug: z.string().describe('The organisation again; it has no other name.'),
  updated: settingsOutput.describe('All settings, as they are now.'),
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
  deletedConnections: count.describe('Connections that are gone.'),
  deletedDocumentBatches: count.describe('In how many steps the documents were deleted.'),
  deletedDocumentsApprox: count.describe('Documents that are gone.'),
  deletedMemoryRows: count.describe('Memories that are gone, in all versions.'),
  deletedExtraSpaces: count.describe('Container tags that are gone, beside the default one.'),
  clearedDefaultSpaceContext: z.boolean().describe('Whether the default tag said something of itself.'),
  clearedBrainMemoryRegistry: z.boolean().describe('Always false: there is no such registry.'),
  settingsReset: z.boolean().describe('True.'),
});
export type ResetOutput = z.input<typeof resetOutput>;

export const suggestedBuckets = z.object({
  suggestions: bucketsOutput.describe('Three to six profile buckets; nothing was saved.'),
});
export type SuggestedBuckets = z.input<typeof suggestedBuckets>;
