// What a search cannot show yet: documents that are still processing, or that failed and will not come by themselves.
import type { AgentContext } from '../agent.ts';
import { listDocuments } from '../documents/list.ts';
import { shortened } from './agent-size.ts';

const LONGEST_REASON = 160;

const documents = (count: number): string => (count === 1 ? '1 document' : `${count} documents`);

/** Sentences for the model; none where everything was read. */
export async function backlogOf({ ask, tag }: Pick<AgentContext, 'ask' | 'tag'>): Promise<string[]> {
  const newest = { containerTag: tag, limit: 1, sort: 'updatedAt' } as const;
  const [busy, failed] = await Promise.all([
    ask(listDocuments, { ...newest, status: ['queued', 'processing'] }),
    ask(listDocuments, { ...newest, status: 'failed' }),
  ]);
  const sentences: string[] = [];
  if (busy.pagination.totalItems > 0) {
    const verb = busy.pagination.totalItems === 1 ? 'is' : 'are';
    sentences.push(`${documents(busy.pagination.totalItems)} ${verb} still processing: search again soon.`);
  }
  const [last] = failed.memories;
  if (last !== undefined) {
    const why = shortened(last.failure?.message ?? 'no reason is known', LONGEST_REASON);
    sentences.push(`${documents(failed.pagination.totalItems)} failed, last ${last.id}: ${why}`);
  }
  return sentences;
}
