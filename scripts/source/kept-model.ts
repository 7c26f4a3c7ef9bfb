// Writes a trained model to the file that the server reads, or compares it with that file.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StagedModel } from './folds.ts';

export interface KeptModel extends StagedModel {
  /** The mark of the features that it was trained with (`feature-marks.ts`). */
  readonly features: string;
}

/** With --write it is written; with --check the process fails if the file holds another model. */
export const keepModel = (trained: () => KeptModel, file: URL): void => {
  const [option] = process.argv.filter((one) => one === '--write' || one === '--check');
  if (option === undefined) return;
  const text = `${JSON.stringify(trained())}\n`;
  const path = fileURLToPath(file);
  if (option === '--write') {
    writeFileSync(file, text);
    process.stdout.write(`${path}: ${text.length} characters\n`);
  } else if (readFileSync(file, 'utf8') === text) process.stdout.write(`${path} is what training gives.\n`);
  else {
    process.stderr.write(`${path} is not what training gives. Train again with --write.\n`);
    process.exitCode = 1;
  }
};
