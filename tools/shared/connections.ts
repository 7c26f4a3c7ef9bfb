// Connections: outside sources that sync into documents. What their operations take and answer, as published.
import { z } from 'zod';
import { metadata } from './metadata.ts';
import { flag, line, time, wholeNumber } from './primitives.ts';
import { containerTag, containerTags } from './tags.ts';

const provider = line(1, 64).describe('The kind of source, as in notion or google-drive.');
const connectionId = line(1, 255).describe('The id of the connection.');
const tags = containerTags.describe('Only what syncs into these container tags.');

export const listConnectionsInput = z.object({
  containerTags: tags.optional(),
  provider: provider.optional(),
});

export const createConnectionInput = z.object({
  connection: provider,
  containerTag: containerTag.optional().describe('The container tag of what it brings.'),
  containerTags: containerTags.optional().describe('The container tags of what it brings.'),
  documentLimit: wholeNumber(1, 10_000).optional().describe('How many documents it brings at the most.'),
  metadata: metadata
    .nullable()
    .optional()
    .describe('What the source needs; syncScope full syncs a whole drive.'),
  redirectUrl: line(1, 2048).optional().describe('Where the browser goes when access is granted.'),
});

export const connectionReference = z.object({ connection: connectionId });

export const deleteConnectionInput = z.object({
  connection: line(1, 255).describe('The id of a connection, or a provider with containerTags.'),
  containerTags: tags.optional(),
  deleteDocuments: flag.prefault(true).describe('Whether the documents that it brought go with it.'),
});

export const providerWithTags = z.object({ provider, containerTags: tags.optional() });

export const providerAtTags = z.object({
  provider,
  containerTags: containerTags.min(1).describe('Its container tags.'),
});

export const resourcesInput = z.object({
  connectionId,
  page: wholeNumber(1, 1_000_000).prefault(1).describe('The page, from 1.'),
  per_page: wholeNumber(1, 100).prefault(30).describe('Resources per page.'),
  parent_id: line(1, 1024).optional().describe('Only what lies in this one.'),
});

const resource = z.record(z.string(), z.unknown()).describe('A resource, as its source describes it.');

export const configureInput = z.object({
  connectionId,
  resources: z.array(resource).max(1000).describe('What to sync.'),
});

// --- answers ---------------------------------------------------------------------------------------

const syncRun = z
  .object({
    status: z.string().describe('How it ended, or that it goes on.'),
    errorCode: z.string().nullable().optional().describe('A word for the cause.'),
    error: z.string().nullable().optional().describe('What happened.'),
    startedAt: time.optional().describe('When it began.'),
    completedAt: time.optional().describe('When it ended.'),
  })
  .describe('The last time it synced.');

export const connectionOutput = z
  .object({
    id: z.string().describe('The id of the connection.'),
    provider: z.string().describe('The kind of source.'),
    createdAt: time.describe('When it was made.'),
    documentLimit: z.number().optional().describe('How many documents it brings at the most.'),
    email: z.string().optional().describe('Whose account it is.'),
    expiresAt: time.optional().describe('Until when access is granted.'),
    metadata: z.record(z.string(), z.unknown()).optional().describe('What was given with it.'),
    containerTags: z.array(z.string()).optional().describe('The container tags of what it brings.'),
    lastSyncRun: syncRun.optional(),
  })
  .meta({ id: 'Connection', description: 'An outside source that syncs into documents.' });

export const connectionsOutput = z.array(connectionOutput);
export type ConnectionsOutput = z.input<typeof connectionsOutput>;

export const connectionCreated = z.object({
  id: z.string().describe('The id of the connection.'),
  authLink: z.string().nullable().optional().describe('Where its owner grants access.'),
  expiresIn: z.string().nullable().optional().describe('For how long the link works.'),
  redirectsTo: z.string().optional().describe('Where the browser goes when access is granted.'),
});

export const connectionDeleted = z.object({
  id: z.string().describe('The id of the connection.'),
  provider: z.string().describe('The kind of source.'),
});

export const connectionDocuments = z.array(
  z.object({
    id: z.string().describe('The id of the document.'),
    status: z.string().describe('How far processing is.'),
    type: z.string().describe('What kind of content it is.'),
    title: z.string().nullable().describe('The title.'),
    summary: z.string().nullable().describe('A summary.'),
    createdAt: time.describe('When it was added.'),
    updatedAt: time.describe('When it was last changed.'),
  }),
);

export const resourcesOutput = z.object({
  resources: z.array(resource).describe('What the source holds.'),
  total_count: z.number().optional().describe('How many there are on all pages.'),
});

export const configured = z.object({
  success: z.boolean().describe('Whether it syncs these now.'),
  message: z.string().describe('What happens next.'),
  webhooksRegistered: z.number().optional().describe('How many sources tell of changes themselves.'),
});

export const importStarted = z.string().describe('That it has begun.');
