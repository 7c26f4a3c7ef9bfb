// The lists of files that do not share agree with what the files do.
import { expect, test } from 'vitest';
import { ownProcess, ownServer, startsServer, testFiles } from '../support/projects.ts';

const files = testFiles();

test('every listed file exists', () => {
  expect(Object.keys({ ...ownProcess, ...ownServer }).filter((path) => !files.includes(path))).toEqual([]);
});

test('every file that starts a server of its own is listed with the reason, and no other file is', () => {
  expect(Object.keys(ownServer).sort()).toEqual(files.filter(startsServer).sort());
});
