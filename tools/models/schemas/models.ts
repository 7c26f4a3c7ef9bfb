// Fields of the models on this machine.
import { z } from 'zod';

export const modelName = z.string().min(1).max(64).describe('The name of the model, as in `minilm`.');

export const modelsOutput = z.object({
  models: z
    .array(
      z.object({
        name: modelName,
        kind: z.enum(['transformer', 'static']).describe('`static`: a vector for each word, and no network.'),
        use: z.string().describe('Whom the model serves.'),
        languages: z.string().describe('The languages of the model.'),
        licence: z.string().describe('The licence of the model.'),
        megabytes: z.number().describe('The size of its files.'),
        dimensions: z.int().describe('The number of dimensions of a vector.'),
        isOwn: z.boolean().describe('True if the owner of this machine described the model.'),
        installed: z.boolean().describe('True if the model is on this machine.'),
        serves: z.boolean().describe('True if searches use the model.'),
        installedAt: z.string().nullable().describe('The time of the installation.'),
        source: z.string().nullable().describe('The address or the folder that the files came from.'),
        files: z
          .record(z.string(), z.string())
          .nullable()
          .describe('The SHA-256 of each installed file. A later installation has to bring the same files.'),
        installing: z
          .object({
            step: z.enum(['model', 'runtime']).describe('`runtime`: the packages that run models.'),
            bytes: z.int().describe('The number of bytes that are there.'),
            total: z.int().nullable().describe('The number of all bytes; null: not known.'),
          })
          .nullable()
          .describe('The progress of a running installation.'),
        trouble: z
          .string()
          .nullable()
          .describe('The reason why the last installation failed; null: it did not.'),
      }),
    )
    .describe('Those of Memoir, and those that the owner of the machine described.'),
});
