// vLLM. It does not say whether its model embeds.
import { z } from 'zod';
import { fieldsOf } from '../../../lib/objects.ts';
import { countOrNull, fittingRows, shownName } from '../answer-fields.ts';
import { serverKind } from '../kind.ts';

const NAME = 'vllm';

const row = z.object({
  id: shownName,
  owned_by: z.literal(NAME),
  max_model_len: countOrNull,
});

export const vllm = serverKind({
  name: NAME,
  title: 'vLLM',
  async list(ask) {
    const { data } = fieldsOf(await ask('/v1/models'));
    const rows = fittingRows(row, data);
    // Many servers list models in this way; the owner tells this one from the others.
    if (rows === null || rows.length === 0) return null;
    return rows.map(({ id, max_model_len: mostTokens }) => ({
      model: id,
      purpose: null,
      dimensions: null,
      mostTokens,
      megabytes: null,
    }));
  },
});
