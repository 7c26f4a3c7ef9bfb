// The tool `delete`: erases one document for an agent, by its exact id.
import { z } from 'zod';
import { agentTool, Refused } from '../tool.ts';
import type { referenceInput } from './schemas/inputs.ts';
import type { nothing } from './schemas/outputs.ts';

const input = z.strictObject({
  id: z.string().min(1).max(255).describe('A documentId or customId.'),
});

const output = z.object({ deleted: z.int(), ids: z.array(z.string()) });

const noSuchDocument = (id: string, cause: Refused): Refused =>
  new Refused(
    404,
    `No document has the id or customId ${JSON.stringify(id)}; nothing was deleted. Use search to find a documentId; to remove single memories use forget.`,
    cause,
  );

export const deleteTool = agentTool<typeof referenceInput, typeof nothing>()({
  name: 'delete',
  title: 'Delete a document',
  description:
    'Erases one whole document for good. Call it only when the user wants content deleted; to drop single memories use forget.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  takesTag: false,
  input,
  output,
  async run({ id }, { own }) {
    await own({ id }).catch((error: unknown) => {
      throw error instanceof Refused && error.status === 404 ? noSuchDocument(id, error) : error;
    });
    return { deleted: 1, ids: [id] };
  },
  text: ({ ids }) => `deleted ${ids.join(' ')}`,
});
