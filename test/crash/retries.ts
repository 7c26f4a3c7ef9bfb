// Actions that retry: documents that cannot be read fail each time again, and documents that wait for an embedder at
// fault are processed when it is well.
import { fresh, type Unreadable, unreadableText } from './stories.ts';
import { accept, isAcknowledged, live, type Work } from './work.ts';

/** So many of a client that a retry of all of them is short. */
const MOST_UNREADABLE = 20;

export const addUnreadable = async (work: Work): Promise<void> => {
  const { ask, chance, stories, token } = work;
  const known = stories.filter(({ kind, deletion }) => kind === 'unreadable' && deletion !== 'done');
  if (known.length >= MOST_UNREADABLE) return;
  const story: Unreadable = { ...fresh(`tag ${chance.below(4)}`), kind: 'unreadable', token: token() };
  stories.push(story);
  const body = { content: unreadableText(story), containerTags: story.tags };
  story.id = await accept(ask, 'POST', '/v3/documents', body);
};

/** A retry changes nothing that a check could miss: the document fails again. */
export const retryOne = async (work: Work): Promise<void> => {
  const story = live(work, 'unreadable');
  if (story === undefined || !isAcknowledged(story)) return;
  const { status } = await work.ask('POST', `/v3/documents/${encodeURIComponent(story.id)}/retry`);
  if (status !== 202) throw new Error(`The retry of ${story.id} answered ${status}`);
  work.heard('retry');
};

/** All failed documents of every client, and all that wait for the embedder. */
export const retryAll = async (work: Work): Promise<void> => {
  const { status, body } = await work.ask<{ retried: number }>('POST', '/v3/documents/retry', {});
  if (status !== 202) throw new Error(`A retry answered ${status}: ${JSON.stringify(body)}`);
  work.retried(body.retried);
  if (body.retried > 0) work.heard('retry');
};
