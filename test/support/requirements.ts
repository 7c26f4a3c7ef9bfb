// Requirements with the tests that hold them: each names a file and the name of a test, or the beginning of one.
import { existsSync, readFileSync } from 'node:fs';

export interface Requirement {
  readonly holds: string;
  /** Files with the names, or the beginnings of names, of their tests. */
  readonly tests: readonly (readonly [file: string, test: string])[];
}

const isIn = (file: string, name: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').includes(name);

/** The sentences that no test holds, and the tests that do not exist. */
export const missingTests = (requirements: Readonly<Record<string, Requirement>>): string[] =>
  Object.entries(requirements).flatMap(([name, { tests }]) => [
    ...(tests.length === 0 ? [`${name}: no test`] : []),
    ...tests
      .filter(([file, test]) => !isIn(file, test))
      .map(([file, test]) => `${name}: ${file} has no test "${test}"`),
  ]);
