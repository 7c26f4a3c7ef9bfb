// Writes a trained model to the file that the server reads, or compares it with that file.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StagedModel } from './folds.ts';

/** With --check nothing is written: the process fails if the file holds another model. */
export const keepModel = (model: StagedModel, file: URL): void => {
  const text = `${JSON.stringify(model)}\n`;
  const path = fileURLToPath(file);
  if (process.argv.includes('--write')) {
    writeFileSync(file, text);
    console.log(`${path}: ${text.length} characters`);
  } else if (readFileSync(file, 'utf8') === text) console.log(`${path} is what training gives.`);
  else {
    console.error(`${path} is not what training gives. Train again with --write.`);
    process.exitCode = 1;
  }
};
