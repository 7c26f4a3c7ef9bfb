// The packages that run models, installed once into a folder of the tests. A test fails if they cannot be installed.
import { join } from 'node:path';
import { installRuntime } from '../../../server/adapters/models/install-runtime.ts';

const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/memoir-test-models');

/** A folder of models with the runtime alone, which all tests share: to be read and copied, and never changed. */
export const folderWithRuntime = async (): Promise<string> => {
  await installRuntime(FOLDER, null, AbortSignal.timeout(100_000));
  return FOLDER;
};

/** Puts the runtime into another folder of models. */
export const addRuntime = async (folder: string): Promise<void> =>
  installRuntime(folder, await folderWithRuntime(), AbortSignal.timeout(100_000));
