// Fields of the models on this machine.
import { z } from 'zod';

export const modelName = z
  .string()
  .min(1)
  .max(256)
  .describe(
    'The name of the model, as in `minilm`, or as in `ollama:nomic-embed-text` for the model of a server.',
  );

export const modelPurpose = z.enum(['embedding', 'chat', 'reranking']);

export const serversOutput = z
  .array(
    z.object({
      name: z.string().describe('The first part of the names of its models, as in `ollama`.'),
      title: z.string().describe('The name of the program, as in `LM Studio`.'),
      address: z.string().describe('The address of the server.'),
      models: z
        .array(
          z.object({
            name: modelName,
            for: modelPurpose
              .exclude(['reranking'])
              .nullable()
              .describe('The purpose of the model; null: the server does not say it.'),
            dimensions: z.int().nullable().describe('The number of dimensions of a vector; null: not known.'),
            mostTokens: z
              .int()
              .nullable()
              .describe('The longest text that an embedding model gets, in tokens; null: not known.'),
            megabytes: z.int().nullable().describe('The size of the model; null: not known.'),
            serves: z.boolean().describe('True if Memoir uses the model.'),
          }),
        )
        .describe('The models of the server.'),
    }),
  )
  .describe('The servers of models that answer on the machine of Memoir.');

export const modelsOutput = z.object({
  models: z
    .array(
      z.object({
        name: modelName,
        for: z
          .enum([...modelPurpose.options, 'ocr'])
          .describe(
            'The purpose of the model: `embedding` makes vectors, `reranking` orders results again, `ocr` reads scans and pictures in a language.',
          ),
        kind: z
          .enum(['transformer', 'static', 'language'])
          .describe('`static`: a vector for each word, and no network. `language`: the data of OCR.'),
        use: z.string().describe('Whom the model serves.'),
        languages: z.string().describe('The languages of the model.'),
        licence: z.string().describe('The licence of the model.'),
        megabytes: z.number().describe('The size of its files.'),
        dimensions: z
          .int()
          .nullable()
          .describe('The number of dimensions of a vector; null: the model makes no vectors.'),
        isOwn: z.boolean().describe('True if the owner of this machine described the model.'),
        installed: z.boolean().describe('True if the model is on this machine.'),
        serves: z.boolean().describe('True if searches, or the reading of scans, use the model.'),
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
