// A look at Gmail: all threads at first, the history since then otherwise. Reading or labelling a mail changes nothing.
import { z } from 'zod';
import { sha256 } from '../../../lib/hash.ts';
import type { Choice, LookPage, Seen, SourceJson } from '../port.ts';
import { SourceError } from '../source-error.ts';
import type { GmailApi, HistoryList, MinimalThread } from './gmail-api.ts';
import { isShown } from './gmail-api.ts';

const gmailCursor = z.object({
  v: z.literal(1),
  /** The chosen labels; others are listed anew. */
  selection: z.string(),
  /** The changes after this one are not seen yet. */
  historyId: z.string(),
  /** Labels that are still to be listed, '' for all mail; empty: the listing is complete. */
  listing: z.array(z.string()),
  page: z.string().nullable(),
});
type GmailCursor = z.infer<typeof gmailCursor>;

const ALL_MAIL = '';

const labelsOf = (choice: Choice): string[] =>
  choice === null ? [ALL_MAIL] : choice.map(({ id }) => id).sort();

const readGmailCursor = (stored: SourceJson): GmailCursor | null => {
  if (stored === null) return null;
  const read = gmailCursor.safeParse(stored);
  if (read.success) return read.data;
  throw new SourceError('cursor_refused', 'The stored place in Gmail has an unknown form.');
};

/**
 * The mark of the listing moves with labels too, so a thread may be read once without need; the ids of its messages decide
 * then whether it changed.
 */
const seenThread = (id: string, historyId: string): Seen => ({
  id,
  kind: 'file',
  mark: historyId,
  face: {
    title: '',
    url: `https://mail.google.com/mail/#all/${id}`,
    type: 'gmail_thread',
    metadata: { type: 'gmail_thread', threadId: id },
  },
});

const goneThread = (id: string): Seen => ({
  id,
  kind: 'gone',
  mark: '',
  face: { title: '', metadata: {} },
});

/** The place in the history is taken before the listing, so that no change in between is missed. */
const beginListing = async (api: GmailApi, choice: Choice): Promise<GmailCursor> => {
  const labels = labelsOf(choice);
  const { historyId } = await api.profile();
  return { v: 1, selection: sha256(labels.join('\n')), historyId, listing: labels, page: null };
};

interface TouchedThread {
  /** The id of its newest change. */
  historyId: string;
  /** The thread must be asked whether it still has messages. */
  mayBeGone: boolean;
}

const isHiding = (labelIds: readonly string[]): boolean => !isShown({ labelIds });

/** Changes of labels count where they hide a message, show it again, or are among the chosen ones. */
const touchedThreads = ({ history }: HistoryList, chosen: readonly string[]): Map<string, TouchedThread> => {
  const touched = new Map<string, TouchedThread>();
  const touch = (id: string, historyId: string, more: Partial<TouchedThread>): void => {
    const before = touched.get(id) ?? { historyId, mayBeGone: false };
    touched.set(id, { ...before, ...more, historyId });
  };
  const counts = (labelIds: readonly string[]): boolean =>
    isHiding(labelIds) || labelIds.some((label) => chosen.includes(label));
  for (const { id, messagesAdded, messagesDeleted, labelsAdded, labelsRemoved } of history) {
    for (const { message } of messagesAdded) if (isShown(message)) touch(message.threadId, id, {});
    for (const { message } of messagesDeleted) touch(message.threadId, id, { mayBeGone: true });
    for (const { message, labelIds } of [...labelsAdded, ...labelsRemoved])
      if (counts(labelIds)) touch(message.threadId, id, { mayBeGone: true });
  }
  return touched;
};

const isWanted = ({ messages }: MinimalThread, chosen: readonly string[]): boolean => {
  const shown = messages.filter(isShown);
  const all = chosen.includes(ALL_MAIL);
  return shown.some(({ labelIds }) => all || labelIds.some((label) => chosen.includes(label)));
};

const seenChange = async (
  api: GmailApi,
  id: string,
  { historyId, mayBeGone }: TouchedThread,
  chosen: readonly string[],
): Promise<Seen> => {
  if (!mayBeGone && chosen.includes(ALL_MAIL)) return seenThread(id, historyId);
  const thread = await api.thread(id);
  return thread !== null && isWanted(thread, chosen)
    ? seenThread(id, thread.historyId || historyId)
    : goneThread(id);
};

const listThreads = async (
  api: GmailApi,
  cursor: GmailCursor,
): Promise<{ items: Seen[]; next: GmailCursor }> => {
  const [label = ALL_MAIL, ...others] = cursor.listing;
  const { threads, nextPageToken } = await api.threads(label, cursor.page);
  const listing = nextPageToken === undefined ? others : cursor.listing;
  return {
    items: threads.map(({ id, historyId }) => seenThread(id, historyId)),
    next: { ...cursor, listing, page: nextPageToken ?? null },
  };
};

const listChanges = async (
  api: GmailApi,
  cursor: GmailCursor,
  chosen: readonly string[],
): Promise<{ items: Seen[]; next: GmailCursor; ended: boolean }> => {
  const list = await api.history(cursor.historyId, cursor.page);
  const items: Seen[] = [];
  for (const [id, change] of touchedThreads(list, chosen))
    items.push(await seenChange(api, id, change, chosen));
  const ended = list.nextPageToken === undefined;
  const next = ended
    ? { ...cursor, historyId: list.historyId, page: null }
    : { ...cursor, page: list.nextPageToken ?? null };
  return { items, next, ended };
};

export async function* lookAtGmail(
  api: GmailApi,
  { stored, choice }: { stored: SourceJson; choice: Choice },
): AsyncGenerator<LookPage> {
  const chosen = labelsOf(choice);
  let cursor = readGmailCursor(stored);
  if (cursor === null || cursor.selection !== sha256(chosen.join('\n')))
    cursor = await beginListing(api, choice);
  if (chosen.length === 0) return yield { items: [], cursor: { ...cursor, listing: [] }, end: 'whole' };
  while (cursor.listing.length > 0) {
    const { items, next }: Awaited<ReturnType<typeof listThreads>> = await listThreads(api, cursor);
    cursor = next;
    yield { items, cursor, ...(next.listing.length === 0 ? { end: 'whole' } : {}) };
    if (next.listing.length === 0) return;
  }
  for (let ended = false; !ended; ) {
    const changes = await listChanges(api, cursor, chosen);
    ({ ended } = changes);
    cursor = changes.next;
    yield { items: changes.items, cursor, ...(ended ? { end: 'delta' } : {}) };
  }
}
