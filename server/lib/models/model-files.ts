// The files in the folder of models: what each of them may hold.
import { z } from 'zod';
import { modelRow } from './model-row.ts';

export const modelRecord = z.strictObject({
  row: modelRow,
  /** The files and their SHA-256. */
  files: z.record(z.string(), z.string()),
  installedAt: z.string(),
  /** The address or the folder that the files came from. */
  source: z.string(),
});

export type ModelRecord = z.output<typeof modelRecord>;

/** The models that a person chose, one for each purpose; null: none. */
export const chosenModels = z.strictObject({
  embedding: z.string().nullable().default(null),
  chat: z.string().nullable().default(null),
  reranking: z.string().nullable().default(null),
  /** The longest text, in tokens, of models of servers on this machine that were chosen once. */
  mostTokens: z.record(z.string(), z.number()).default({}),
});

export type ChosenModels = z.output<typeof chosenModels>;

export const ownRows = z.array(modelRow);
