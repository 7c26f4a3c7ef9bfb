// The program of the `memoir` command, as tests start it.
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export const SOURCE_PROGRAM = join(root, 'server', 'main.ts');

/** The build where this run made one (`built.ts`), else the source. */
export const PROGRAM =
  process.env.MEMOIR_TEST_BUILT === undefined ? SOURCE_PROGRAM : join(root, 'dist', 'server', 'main.js');
