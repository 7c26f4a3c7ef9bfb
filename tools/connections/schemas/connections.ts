// Inputs and outputs of the operations on connections: external sources that sync into documents.
import { z } from 'zod';
import { metadata } from '../../shared/metadata.ts';
import { flag, singleLine, time, wholeNumberField } from '../../shared/primitives.ts';
import { containerTag, containerTags } from '../../shared/tags.ts';

const provider = singleLine(1, 64).describe('The kind of source, as in notion or google-drive.');
const connectionId = singleLine(1, 255).describe('The id of the connection.');
const tags = containerTags.describe('Only connections that sync into these container tags.');

export const listConnectionsInput = z.object({
  containerTags: tags.optional(),
  provider: provider.optional(),
});

export const createConnectionInput = z.object({
  connection: provider,
  containerTag: containerTag.optional().describe('The container tag of the imported documents.'),
  containerTags: containerTags.optional().describe('The container tags of the imported documents.'),
  documentLimit: wholeNumberField(1, 10_000)
    .optional()
    .describe('The maximum number of documents that it imports.'),
  metadata: metadata
    .nullable()
    .optional()
    .describe('Options of the source. With syncScope full, a whole drive is synced.'),
  redirectUrl: singleLine(1, 2048)
    .optional()
    .describe('The address that the browser opens after access is granted.'),
});

export const connectionReference = z.object({ connection: connectionId });

export const deleteConnectionInput = z.object({
  connection: singleLine(1, 255).describe('The id of a connection, or a provider with containerTags.'),
  containerTags: tags.optional(),
  deleteDocuments: flag
    .prefault(true)
    .describe('True: also deletes the documents that the connection imported.'),
});

export const providerWithTags = z.object({ provider, containerTags: tags.optional() });

export const providerAtTags = z.object({
  provider,
  containerTags: containerTags.min(1).describe('Its container tags.'),
});

export const resourcesInput = z.object({
  connectionId,
  page: wholeNumberField(1, 1_000_000).prefault(1).describe('The page number, from 1.'),
  per_page: wholeNumberField(1, 100).prefault(30).describe('Resources per page.'),
  parent_id: singleLine(1, 1024).optional().describe('Only resources inside this parent resource.'),
});

const resource = z.record(z.string(), z.unknown()).describe('A resource, as its source describes it.');

export const configureInput = z.object({
  connectionId,
  resources: z.array(resource).max(1000).describe('The resources to sync.'),
});

// --- answers ---------------------------------------------------------------------------------------

const syncRun = z
  .object({
    status: z.string().describe('The state of the run: its result, or that it is still running.'),
    errorCode: z.string().nullable().optional().describe('A short code for the cause.'),
    error: z.string().nullable().optional().describe('The error message.'),
    startedAt: time.optional().describe('Start time.'),
    completedAt: time.optional().describe('End time.'),
  })
  .describe('The last sync run.');

export const connectionOutput = z
  .object({
    id: z.string().describe('The id of the connection.'),
    provider: z.string().describe('The kind of source.'),
    createdAt: time.describe('The time of creation.'),
    documentLimit: z.number().optional().describe('The maximum number of documents that it imports.'),
    email: z.string().optional().describe('The email address of the account.'),
    expiresAt: time.optional().describe('The time at which the access expires.'),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The metadata sent when the connection was created.'),
    containerTags: z.array(z.string()).optional().describe('The container tags of the imported documents.'),
    lastSyncRun: syncRun.optional(),
  })
  .meta({ id: 'Connection', description: 'An outside source that syncs into documents.' });

export const connectionsOutput = z.array(connectionOutput);
export type ConnectionsOutput = z.input<typeof connectionsOutput>;

export const connectionCreated = z.object({
  id: z.string().describe('The id of the connection.'),
  authLink: z.string().nullable().optional().describe('The address at which the owner grants access.'),
  expiresIn: z.string().nullable().optional().describe('The time for which the link is valid.'),
  redirectsTo: z.string().optional().describe('The address that the browser opens after access is granted.'),
});

export const connectionDeleted = z.object({
  id: z.string().describe('The id of the connection.'),
  provider: z.string().describe('The kind of source.'),
});

export const connectionDocuments = z.array(
  z.object({
    id: z.string().describe('The id of the document.'),
    status: z.string().describe('The processing status.'),
    type: z.string().describe('The type of the content.'),
    title: z.string().nullable().describe('The title.'),
    summary: z.string().nullable().describe('A summary.'),
    createdAt: time.describe('The time at which it was added.'),
    updatedAt: time.describe('The time of the last change.'),
  }),
);

export const resourcesOutput = z.object({
  resources: z.array(resource).describe('The resources of the source.'),
  total_count: z.number().optional().describe('The total number on all pages.'),
});

export const configured = z.object({
  success: z.boolean().describe('True if the connection now syncs these resources.'),
  message: z.string().describe('A message about the next step.'),
  webhooksRegistered: z.number().optional().describe('The number of webhooks registered with the source.'),
});

export const importStarted = z.string().describe('A message that the sync has started.');
