// The requests to Gmail that a look makes, and the shape of their answers.
import { z } from 'zod';
import { createGoogleApi, type GoogleApi } from '../google/api.ts';
import type { Ask } from '../port.ts';
import { SourceError } from '../source-error.ts';

export const GMAIL_ADDRESS = 'https://gmail.googleapis.com/gmail/v1/users/me';

const profile = z.object({ emailAddress: z.string(), historyId: z.string() });

const threadList = z.object({
  threads: z.array(z.object({ id: z.string(), historyId: z.string().default('') })).default([]),
  nextPageToken: z.string().optional(),
});
export type ThreadList = z.infer<typeof threadList>;

const labelled = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.array(z.string()).default([]),
});
const moved = z.array(z.object({ message: labelled, labelIds: z.array(z.string()).default([]) })).default([]);

const historyList = z.object({
  history: z
    .array(
      z.object({
        id: z.string(),
        messagesAdded: z.array(z.object({ message: labelled })).default([]),
        messagesDeleted: z.array(z.object({ message: labelled })).default([]),
        labelsAdded: moved,
        labelsRemoved: moved,
      }),
    )
    .default([]),
  historyId: z.string(),
  nextPageToken: z.string().optional(),
});
export type HistoryList = z.infer<typeof historyList>;

const minimalThread = z.object({
  id: z.string(),
  historyId: z.string().default(''),
  messages: z.array(z.object({ id: z.string(), labelIds: z.array(z.string()).default([]) })).default([]),
});
export type MinimalThread = z.infer<typeof minimalThread>;

const labelList = z.object({
  labels: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string().default('user') }))
    .default([]),
});

/** Threads of which every message has one of these are no content. */
const HIDDEN = new Set(['TRASH', 'SPAM', 'DRAFT']);

export const isShown = ({ labelIds }: { readonly labelIds: readonly string[] }): boolean =>
  !labelIds.some((label) => HIDDEN.has(label));

export interface GmailApi {
  profile(): Promise<z.infer<typeof profile>>;
  threads(label: string, page: string | null): Promise<ThreadList>;
  history(from: string, page: string | null): Promise<HistoryList>;
  /** Ids and labels of its messages; null: it is deleted. */
  thread(id: string): Promise<MinimalThread | null>;
  labels(): Promise<z.infer<typeof labelList>['labels']>;
}

const MOST_THREADS = 500;
const MOST_CHANGES = 500;

const listHistory = async (call: GoogleApi, from: string, page: string | null): Promise<HistoryList> => {
  try {
    return await call(
      '/history',
      { startHistoryId: from, maxResults: MOST_CHANGES, pageToken: page ?? undefined },
      { shape: historyList, what: 'a list of changes' },
    );
  } catch (error) {
    if (error instanceof SourceError && error.code === 'not_found')
      throw new SourceError('cursor_refused', 'Gmail no longer knows the changes since the last look.', {
        cause: error,
      });
    throw error;
  }
};

export const createGmailApi = (ask: Ask, signal: AbortSignal): GmailApi => {
  const call = createGoogleApi(ask, GMAIL_ADDRESS, signal);
  return {
    profile: () => call('/profile', {}, { shape: profile, what: 'the account' }),
    threads: (label, page) =>
      call(
        '/threads',
        {
          q: '-in:spam -in:trash -in:drafts',
          ...{ maxResults: MOST_THREADS, pageToken: page ?? undefined },
          labelIds: label === '' ? undefined : label,
        },
        { shape: threadList, what: 'a list of threads' },
      ),
    history: (from, page) => listHistory(call, from, page),
    async thread(id) {
      try {
        return await call(
          `/threads/${encodeURIComponent(id)}`,
          { format: 'minimal' },
          { shape: minimalThread, what: 'a thread', template: '/threads/{id}' },
        );
      } catch (error) {
        if (error instanceof SourceError && error.code === 'not_found') return null;
        throw error;
      }
    },
    labels: async () => (await call('/labels', {}, { shape: labelList, what: 'a list of labels' })).labels,
  };
};
