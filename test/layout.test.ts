// Reads the source and keeps the rules of the house: who may import whom, and how large things grow.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesOfFiles, circlesOfFolders } from '../scripts/source/circles.ts';
import { type Edge, edgesOf } from '../scripts/source/edges.ts';
import { measure } from '../scripts/source/measurements.ts';
import { root, sourceFiles } from '../scripts/source/parse.ts';
import { importRules } from './layout/import-rules.ts';
import { familiesWithoutPorts, missingEntries, uncheckedPorts } from './layout/port-rules.ts';
import { shapeRules } from './layout/shape-rules.ts';
import { waitingRules } from './layout/waiting-rules.ts';

const source = sourceFiles('tools', 'server', 'sdk', 'scripts');
const everything = [...source, ...sourceFiles('test')];
const edges = source.flatMap(edgesOf);
const known = new Set(everything.map((file) => file.path));

const expectNone = (problems: readonly string[]): void =>
  expect(problems.length, `${problems.length} times:\n  ${problems.join('\n  ')}\n`).toBe(0);

const describeEdge = (edge: Edge): string =>
  `${edge.from}:${edge.line}  ${edge.kind === 'type' ? 'takes a type from' : 'imports'} ${edge.to}`;

describe('imports', () => {
  for (const rule of importRules)
    test(rule.sentence, () => expectNone(edges.filter(rule.broken).map(describeEdge)));

  test('files import each other in no circle, imports of types included', () =>
    expectNone(circlesOfFiles(edges).map((circle) => circle.join(', '))));

  test('the children of a folder import each other in no circle, imports of types included', () =>
    expectNone(circlesOfFolders(edges).map((circle) => circle.join(', '))));

  test('every file that is started as a thread or process exists', () =>
    expectNone(missingEntries(edges, known).map(describeEdge)));
});

describe('shape', () => {
  for (const rule of [...shapeRules, ...waitingRules])
    test(rule.sentence, () => expectNone(everything.flatMap(rule.broken)));
});

describe('ports', () => {
  test('every adapter folder holds its ports', () =>
    expectNone(familiesWithoutPorts(source.map(({ path }) => path))));

  test('every port that takes a Scope is held to it in test/adapters/ports.test-d.ts', () => {
    const typeTest = everything.filter(({ path }) => path === 'test/adapters/ports.test-d.ts');
    expectNone(uncheckedPorts(edges, typeTest.flatMap(edgesOf)));
  });
});

describe('targets of npm run measure', () => {
  const shipped = sourceFiles('tools', 'server', 'sdk/src', 'scripts');
  const contributing = readFileSync(join(root, 'docs', 'contributing.md'), 'utf8');
  for (const { what, target, today, isMet, places } of measure(shipped, contributing))
    test(`${what}: ${target}`, () =>
      expect(isMet, `Today ${today}. Places:\n  ${places.slice(0, 40).join('\n  ')}\n`).toBe(true));
});
