// The tests that notice a fault first: those that mirror its file, then those that import it on the shortest way.
import { posix } from 'node:path';
import { edgesOf } from '../../scripts/source/edges.ts';
import { sourceFiles } from '../../scripts/source/parse.ts';
import { testFiles, usesServer } from '../support/projects.ts';
import { type Area, isIn } from './areas.ts';

const MOST_NEAREST = 8;

export interface TestChoice {
  nearest(path: string, area: Area): string[];
  wider(area: Area, without: readonly string[]): string[];
}

/** The importers of a file, at run time. */
const importersByFile = (): Map<string, string[]> => {
  const importers = new Map<string, string[]>();
  for (const file of sourceFiles('server', 'tools', 'test'))
    for (const { from, to, ours, kind } of edgesOf(file))
      if (ours && kind !== 'type') importers.set(to, [...(importers.get(to) ?? []), from]);
  return importers;
};

/** Everything that reaches the file, the nearest first. */
const reaching = (importers: ReadonlyMap<string, string[]>, path: string): string[] => {
  const found = new Set([path]);
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  return [...found];
};

/** `server/a/b.ts` is mirrored by `test/a/b.test.ts`, by the tests in `test/a/b/`, and then by the others in `test/a/`. */
const mirrorsOf = (tests: readonly string[], path: string): string[] => {
  const mirrored = path.replace(/^server\//, 'test/').replace(/\.ts$/, '');
  const inFolder = (folder: string) => tests.filter((test) => posix.dirname(test) === folder);
  return [
    ...tests.filter((test) => test === `${mirrored}.test.ts`),
    ...inFolder(mirrored),
    ...inFolder(posix.dirname(mirrored)),
  ];
};

export const createTestChoice = (): TestChoice => {
  const importers = importersByFile();
  const tests = testFiles();
  const units = new Set(tests.filter((path) => !usesServer(path)));
  return {
    nearest(path, { contract }) {
      const isOfStore = contract !== undefined && path.startsWith('server/adapters/store/');
      const mirrors = [...(isOfStore ? [contract] : []), ...mirrorsOf(tests, path)];
      const reached = reaching(importers, path).filter((found) => units.has(found));
      return [...new Set([...mirrors, ...reached])].slice(0, MOST_NEAREST);
    },
    wider(area, without) {
      const chosen = area.wider.flatMap((place) => tests.filter(isIn([place])));
      return [...new Set(chosen)].filter((path) => !without.includes(path));
    },
  };
};
