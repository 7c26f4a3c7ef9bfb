// Finds the program `tesseract` and the languages that it can read. Nothing is installed, and its absence is no failure.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { ExtractLog } from '../port.ts';

export interface InstalledProgram {
  /** Absolute. */
  readonly file: string;
  readonly languages: ReadonlySet<string>;
}

export const NO_PROGRAM = 'none';

const NAME = process.platform === 'win32' ? 'tesseract.exe' : 'tesseract';
const ANSWER_MS = 10_000;

/** Null: it is not installed, or not wanted. A program that does not answer is logged. */
export const findProgram = async (
  path: string | undefined,
  log: ExtractLog,
): Promise<InstalledProgram | null> => {
  if (path === NO_PROGRAM) return null;
  const file = path ?? (await onPath());
  if (file === null) return null;
  try {
    return { file, languages: await languagesOf(file) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, `The program ${file} does not answer, so the built-in engine reads scans.`);
    return null;
  }
};

const onPath = async (): Promise<string | null> => {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const file = join(folder, NAME);
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return null;
};

/** A heading, then a language on each line. */
const languagesOf = async (file: string): Promise<ReadonlySet<string>> => {
  const { stdout } = await promisify(execFile)(file, ['--list-langs'], {
    timeout: ANSWER_MS,
    killSignal: 'SIGKILL',
    env: programEnvironment(),
  });
  const [, ...languages] = stdout.split(/\r?\n/);
  return new Set(languages.filter((line) => line !== ''));
};

/** Several threads for a page take more time than one; several pages run beside each other instead. */
export const programEnvironment = (): NodeJS.ProcessEnv => {
  const { TESSDATA_PREFIX } = process.env;
  return {
    ...{ LANG: 'C.UTF-8', OMP_THREAD_LIMIT: '1' },
    ...(TESSDATA_PREFIX === undefined ? {} : { TESSDATA_PREFIX }),
  };
};
