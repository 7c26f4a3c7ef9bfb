// Inputs and outputs of the operations on connections: external sources that sync into documents.
import { z } from 'zod';
import { metadata } from '../../shared/metadata.ts';
import { flag, singleLine, time, wholeNumberField } from '../../shared/primitives.ts';
import { containerTag, containerTags } from '../../shared/tags.ts';

const provider = singleLine(1, 64).describe('The kind of source, as in notion or google-drive.');
const connectionId = singleLine(1, 255).describe('The id of the connection.');
const options = metadata
  .nullable()
  .optional()
  .describe('Options of the source alone. Unlike in metadata, one that it does not have is refused.');
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
    .describe(
      'Options of the source, and metadata for its documents under other names. With syncScope full, a whole drive is synced.',
    ),
  options,
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
  search: singleLine(1, 200).optional().describe('Only resources whose name has these words.'),
});

export const connectionById = z.object({ connectionId });

export const previewConnectionInput = z.object({
  provider,
  metadata: metadata.nullable().optional().describe('Options of the source, as for a new connection.'),
  options,
});

export const listOfEndUserInput = z.object({
  endUserId: singleLine(1, 255).optional().describe('Only connections whose metadata has this endUserId.'),
});

export const itemsInput = z.object({
  connectionId,
  state: z
    .enum(['failed', 'skipped', 'wanted', 'taken', 'excluded', 'gone'])
    .prefault('failed')
    .describe(
      'Items that could not be read (failed), are not read (skipped), wait (wanted), are documents (taken), were deleted here (excluded), or are being removed (gone).',
    ),
  page: wholeNumberField(1, 1_000_000).prefault(1).describe('The page number, from 1.'),
  limit: wholeNumberField(1, 500).prefault(100).describe('Items per page.'),
});

export const includeItemsInput = z.object({
  connectionId,
  items: z
    .array(singleLine(1, 2048))
    .min(1)
    .max(500)
    .describe('The ids of items that were deleted here or failed. They are read again.'),
});

export const reauthorizeInput = z.object({
  connectionId,
  metadata: metadata
    .nullable()
    .optional()
    .describe('New keys or options, for a source without a sign-in. Others stay as they are.'),
  options,
  redirectUrl: singleLine(1, 2048)
    .optional()
    .describe('The address that the browser opens after access is granted.'),
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
    account: z.string().optional().describe('The account, as the source names it.'),
    status: z
      .enum(['waiting', 'choosing', 'active', 'paused', 'signed_out', 'held', 'removing'])
      .optional()
      .describe(
        'waiting: nobody has signed in yet. choosing: nothing was chosen yet. signed_out: sign in again. held: removals wait for a person.',
      ),
    problem: z.string().optional().describe('Why it waits for a person, and what to do.'),
    progress: z
      .object({
        found: z.number().describe('Items that the source showed.'),
        done: z.number().describe('Items that are documents.'),
        waiting: z.number().describe('Items that are still to be read.'),
        skipped: z.number().describe('Items that are not read, with a reason.'),
        failed: z.number().describe('Items that could not be read.'),
      })
      .optional()
      .describe('What became of the items of the source.'),
    chosen: z
      .array(
        z.object({
          id: z.string().describe('The id of the resource at its source.'),
          name: z.string().describe('Its name.'),
          kind: z.string().describe('Its kind, as in folder.'),
          how: z.unknown().optional().describe('Details by which the source finds it again.'),
        }),
      )
      .optional()
      .describe('The resources that are synced.'),
    nextSyncAt: time.optional().describe('The time of the next look.'),
    held: z
      .object({ removals: z.number().describe('Documents that would be removed.') })
      .optional()
      .describe('Removals that wait for a person.'),
    watch: z
      .object({
        state: z
          .enum(['schedule', 'registered', 'alive'])
          .describe(
            'schedule: changes are found by the schedule alone. registered: the source has not called yet. alive: it calls when something changes.',
          ),
        problem: z.string().optional().describe('Why the source does not call.'),
        lastHeardAt: time.optional().describe('The last call, to the minute.'),
        endsAt: time.optional().describe('The end of the webhook, which is renewed before.'),
      })
      .optional()
      .describe('The state of its webhook: the source calls when something changes.'),
  })
  .meta({ id: 'Connection', description: 'An outside source that syncs into documents.' });

export type ConnectionOutput = z.input<typeof connectionOutput>;
export const connectionsOutput = z.array(connectionOutput);
export type ConnectionsOutput = z.input<typeof connectionsOutput>;

export const connectionCreated = z.object({
  id: z.string().describe('The id of the connection.'),
  authLink: z.string().nullable().optional().describe('The address at which the owner grants access.'),
  expiresIn: z.string().nullable().optional().describe('The time for which the link is valid.'),
  redirectsTo: z.string().optional().describe('The address that the browser opens after access is granted.'),
});

export type ConnectionCreated = z.input<typeof connectionCreated>;

export const connectionPreview = z.object({
  found: z.number().describe('Files that would become documents.'),
  bytes: z.number().describe('Their size, as far as the source tells it.'),
  skipped: z.number().describe('Files that would not be read.'),
  complete: z
    .boolean()
    .describe(
      'False: the source has more than was counted within the time, or what is read leads to more, as the pages of a site.',
    ),
});
export type ConnectionPreview = z.input<typeof connectionPreview>;

export const choicePageOutput = z.object({
  url: z.string().describe('The address of the page; whoever has it can choose.'),
  expiresIn: z.string().describe('The time for which it can be used.'),
});

export const syncRunsOutput = z.array(
  z.object({
    id: z.string().describe('The id of the run.'),
    connectionId: z.string().describe('The id of the connection.'),
    status: z.enum(['running', 'completed', 'failed']).describe('The state of the run.'),
    triggerType: z.enum(['event', 'cron', 'manual']).describe('What started it.'),
    startedAt: time.describe('Start time.'),
    completedAt: time.nullable().describe('End time.'),
    itemsProcessed: z.number().describe('Items that were read or updated.'),
    itemsFailed: z.number().describe('Items that could not be read.'),
    error: z.string().nullable().describe('The error message.'),
    errorCode: z.string().nullable().describe('A short code for the cause.'),
    itemsFound: z.number().describe('Items that the source showed.'),
    itemsAdded: z.number().describe('New documents.'),
    itemsUpdated: z.number().describe('Documents with new content.'),
    itemsUnchanged: z.number().describe('Items whose content was the same.'),
    itemsRemoved: z.number().describe('Documents that were removed.'),
    itemsSkipped: z.number().describe('Items that are not read.'),
    itemsBeyondLimit: z.number().describe('Items for which the limit left no place.'),
    requests: z.number().describe('Requests to the source.'),
    bytes: z.number().describe('Bytes that the source sent.'),
    waitedMs: z.number().describe('Milliseconds of waiting for the pace of the source.'),
  }),
);
export type SyncRunsOutput = z.input<typeof syncRunsOutput>;

export const connectionItemsOutput = z.array(
  z.object({
    id: z.string().describe('The id of the item in its source.'),
    state: z.string().describe('Its state.'),
    title: z.string().nullable().describe('Its title.'),
    path: z.string().nullable().describe('Its path.'),
    error: z.string().nullable().describe('The reason, with the name of the item.'),
    errorCode: z.string().nullable().describe('A short code for the reason.'),
    documentId: z.string().nullable().describe('The id of its document.'),
  }),
);
export type ConnectionItemsOutput = z.input<typeof connectionItemsOutput>;

export const included = z.object({
  included: z.number().describe('The number of items that are read again.'),
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
    url: z.string().nullable().describe('Its address in the source.'),
    createdAt: time.describe('The time at which it was added.'),
    updatedAt: time.describe('The time of the last change.'),
  }),
);

export type ConnectionDocumentsOutput = z.input<typeof connectionDocuments>;

export const resourcesOutput = z.object({
  resources: z.array(resource).describe('The resources of the source.'),
  total_count: z.number().optional().describe('The total number on all pages.'),
  source: z.string().optional().describe('The name of the source for people.'),
});

export const configured = z.object({
  success: z.boolean().describe('True if the connection now syncs these resources.'),
  message: z.string().describe('A message about the next step.'),
  webhooksRegistered: z.number().optional().describe('The number of webhooks registered with the source.'),
});

export const handMadeHook = z.object({
  state: z
    .enum(['waiting', 'verify', 'alive'])
    .describe(
      'waiting: the source has not called the address yet. verify: paste the verification token at the source. alive: it calls when something changes.',
    ),
  url: z
    .string()
    .optional()
    .describe('The address to be pasted at the source. It is a secret, and answered once.'),
  verificationToken: z.string().optional().describe('The token to be pasted at the source.'),
});
export type HandMadeHookOutput = z.input<typeof handMadeHook>;

export const importStarted = z.string().describe('A message that the sync has started.');
