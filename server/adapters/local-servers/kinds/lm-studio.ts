// LM Studio, from 0.3.6: its list says the type of each model.
import { z } from 'zod';
import { fieldsOf } from '../../../lib/objects.ts';
import { countOrNull, fittingRows, shownName } from '../answer-fields.ts';
import { serverKind } from '../kind.ts';
import type { ServerModel } from '../port.ts';

const row = z.object({
  id: shownName,
  object: z.literal('model'),
  type: z.string(),
  max_context_length: countOrNull,
});

const PURPOSES: Readonly<Record<string, ServerModel['purpose']>> = {
  embeddings: 'embedding',
  llm: 'chat',
  vlm: 'chat',
};

export const lmStudio = serverKind({
  name: 'lmstudio',
  title: 'LM Studio',
  async list(ask) {
    const { data } = fieldsOf(await ask('/api/v0/models'));
    return (
      fittingRows(row, data)?.map(({ id, type, max_context_length: mostTokens }) => ({
        model: id,
        purpose: PURPOSES[type] ?? null,
        dimensions: null,
        mostTokens,
        megabytes: null,
      })) ?? null
    );
  },
});
