// Notes about documents that a search cannot show: still processing, or failed.

import type { AgentContext } from '../operation.ts';
import { cutForAgent } from '../shared/short-text.agent.ts';
import { getDocument } from './get.ts';
import { listDocuments } from './list.ts';

const LONGEST_REASON = 160;

const countedDocuments = (count: number): string => (count === 1 ? '1 document' : `${count} documents`);

/** Sentences for the model; empty if all documents are processed. */
export const unprocessedNotes = async ({
  ask,
  tag,
}: Pick<AgentContext, 'ask' | 'tag'>): Promise<string[]> => {
  const newest = { containerTag: tag, limit: 1, sort: 'updatedAt' } as const;
  const [busy, failed] = await Promise.all([
    ask(listDocuments, { ...newest, status: ['queued', 'processing'] }),
    ask(listDocuments, { ...newest, status: 'failed' }),
  ]);
  const sentences: string[] = [];
  if (busy.pagination.totalItems > 0) {
    const verb = busy.pagination.totalItems === 1 ? 'is' : 'are';
    sentences.push(
      `${countedDocuments(busy.pagination.totalItems)} ${verb} still being processed: search again soon.`,
    );
  }
  const [last] = failed.memories;
  if (last !== undefined) {
    const why = cutForAgent(last.failure?.message ?? 'the reason is unknown', LONGEST_REASON);
    sentences.push(
      `${countedDocuments(failed.pagination.totalItems)} failed, most recently ${last.id}: ${why}`,
    );
  }
  return sentences;
};

/** A document can be searched before its memories are drawn, and a profile consists of memories. */
export const unreadNotes = async ({ ask, tag }: Pick<AgentContext, 'ask' | 'tag'>): Promise<string[]> => {
  const { memories } = await ask(listDocuments, {
    containerTag: tag,
    limit: 1,
    sort: 'updatedAt',
    status: 'done',
  });
  const [newest] = memories;
  if (newest === undefined) return [];
  const { dreamingStatus } = await ask(getDocument, { id: newest.id });
  return dreamingStatus === 'done'
    ? []
    : [
        'The memories of what was added last are still being drawn: search finds its text, and the profile shows them soon.',
      ];
};
