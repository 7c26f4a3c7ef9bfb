// A batch does not hold up the thread that answers others.
import { expect, test } from 'vitest';
import type { DocumentStore, Submission } from '../../../server/adapters/store/ports/documents.ts';
import { addBatch } from '../../../server/domain/documents/add-batch.ts';
import { recogniseKind } from '../../../server/domain/ingestion/content/recognise-kind.ts';
import { newId } from '../../../server/lib/ids.ts';
import { batchInput } from '../../../tools/documents/schemas/inputs.ts';
import { callerOf } from './samples.ts';

test('other calls come in after a batch was read and before it is stored', async () => {
  const order: string[] = [];
  const store: Pick<DocumentStore, 'submit'> = {
    async submit(_scope, submissions: readonly Submission[]) {
      order.push('stored');
      return submissions.map(
        ({ id }) => ({ outcome: 'accepted', id, status: 'queued', stored: true }) as const,
      );
    },
  };
  setImmediate(() => order.push('another call'));
  const batch = batchInput.parse({ documents: ['x', 'y'] });
  const parts = { newId, recogniseKind };
  const answer = await addBatch(store as DocumentStore, parts, callerOf(), batch);
  expect(answer.success).toBe(2);
  expect(order).toEqual(['another call', 'stored']);
});
