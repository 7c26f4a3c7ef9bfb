// Ollama. Its list names the models; /api/show says what one of them can do, which newer versions say in the list too.
import { z } from 'zod';
import { fieldsOf } from '../../../lib/objects.ts';
import { countOrNull, fittingRows, megabytesOf, shownName } from '../answer-fields.ts';
import { serverKind } from '../kind.ts';
import type { ServerModel } from '../port.ts';

const capabilities = z.array(z.string()).optional().catch(undefined);

const row = z.object({
  name: shownName,
  size: z.unknown().optional(),
  capabilities,
  // A model that runs elsewhere under an account: texts would leave this machine.
  remote_host: z.string().optional(),
});

/** "nomic-embed-text:latest" is what people call "nomic-embed-text". */
const shortName = (model: string): string => model.replace(/:latest$/, '');

const purposeOf = (can: readonly string[] | undefined): ServerModel['purpose'] => {
  if (can?.includes('embedding')) return 'embedding';
  return can?.includes('completion') ? 'chat' : null;
};

/** "nomic-bert.context_length": the key begins with the architecture. */
const ending = (info: object, end: string): unknown =>
  Object.entries(info).find(([key]) => key.endsWith(end))?.[1];

export const ollama = serverKind({
  name: 'ollama',
  title: 'Ollama',
  shortName,
  async list(ask) {
    const { models } = fieldsOf(await ask('/api/tags'));
    const here = fittingRows(row, models)?.filter((one) => !one.remote_host) ?? null;
    return (
      here?.map(({ name, size, capabilities: can }) => ({
        model: shortName(name),
        purpose: purposeOf(can),
        dimensions: null,
        mostTokens: null,
        megabytes: megabytesOf(size),
      })) ?? null
    );
  },
  async describe(ask, model) {
    const shown = fieldsOf(await ask('/api/show', { model: model.model }));
    const info = fieldsOf(shown.model_info);
    const can = capabilities.parse(shown.capabilities);
    // Versions before 0.6.4 name no capabilities; a model that embeds has a way of pooling.
    const pools = ending(info, '.pooling_type') !== undefined;
    const embeds = can === undefined ? pools : purposeOf(can) === 'embedding';
    return {
      ...model,
      purpose: can === undefined ? (pools ? 'embedding' : model.purpose) : purposeOf(can),
      dimensions: embeds ? countOrNull.parse(ending(info, '.embedding_length')) : null,
      mostTokens: countOrNull.parse(ending(info, '.context_length')),
    };
  },
});
