// The server of llama.cpp. It does not say whether its model embeds: that depends on how it was started.
import { z } from 'zod';
import { fieldsOf } from '../../../lib/objects.ts';
import { countOrNull, fittingRows, megabytesOf, shownName } from '../answer-fields.ts';
import { serverKind } from '../kind.ts';

const NAME = 'llamacpp';

/** In tokens. llama.cpp refuses a longer text, unless it was started with a larger `--ubatch-size`. */
const USUAL_BATCH = 512;

const row = z.object({
  id: shownName,
  owned_by: z.literal(NAME),
  meta: z
    .object({ n_ctx_train: countOrNull, n_embd: countOrNull, size: z.unknown().optional() })
    .nullable()
    .catch(null)
    .default(null),
});

export const llamaCpp = serverKind({
  name: NAME,
  title: "llama.cpp's server",
  async list(ask) {
    const { data } = fieldsOf(await ask('/v1/models'));
    const rows = fittingRows(row, data);
    // Many servers list models in this way; the owner tells this one from the others.
    if (rows === null || rows.length === 0) return null;
    return rows.map(({ id, meta }) => ({
      model: id,
      purpose: null,
      dimensions: meta?.n_embd ?? null,
      mostTokens: Math.min(USUAL_BATCH, meta?.n_ctx_train ?? USUAL_BATCH),
      megabytes: megabytesOf(meta?.size),
    }));
  },
});
