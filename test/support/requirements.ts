// Requirements with the tests that hold them: each names a file and the name of a test, or the beginning of one.
import { existsSync, readFileSync } from 'node:fs';

export interface Requirement {
  readonly holds: string;
  /** Files with the names, or the beginnings of names, of their tests. */
  readonly tests: readonly (readonly [file: string, test: string])[];
}

export interface MeasuredRequirement extends Requirement {
  /** The arguments of `npm run` that measure it at full size. */
  readonly command?: string;
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

/** The commands that package.json does not have. */
export const missingCommands = (requirements: Readonly<Record<string, MeasuredRequirement>>): string[] => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  return Object.entries(requirements)
    .filter(([, { command }]) => command !== undefined && !((command.split(' ')[0] ?? '') in scripts))
    .map(([name, { command }]) => `${name}: there is no command ${command}`);
};
