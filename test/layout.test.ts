// Reads the source and keeps the rules of the house: who may import whom, and how large things grow.
import { describe, expect, test } from 'vitest';
import { cyclesOf, type Edge, edgesOf } from './layout/edges.ts';
import { importRules } from './layout/import-rules.ts';
import { sourceFiles } from './layout/parse.ts';
import { shapeRules } from './layout/shape-rules.ts';

const source = sourceFiles('tools', 'server', 'sdk');
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

  test('files import each other in no circle', () =>
    expectNone(cyclesOf(edges).map((cycle) => cycle.join(' → '))));

  test('every file that is started as a thread or process exists', () =>
    expectNone(edges.filter((edge) => edge.kind === 'entry' && !known.has(edge.to)).map(describeEdge)));
});

describe('shape', () => {
  for (const rule of shapeRules) test(rule.sentence, () => expectNone(everything.flatMap(rule.broken)));
});

describe('ports', () => {
  const families = new Set(
    source.flatMap((file) => /^server\/adapters\/[^/]+(?=\/)/.exec(file.path)?.[0] ?? []),
  );

  test('every adapter folder holds a port.ts', () =>
    expectNone([...families].filter((family) => !known.has(`${family}/port.ts`))));

  test('every port that takes a Scope is held to it in test/adapters/ports.test-d.ts', () => {
    const checked = new Set(
      everything
        .filter((file) => file.path === 'test/adapters/ports.test-d.ts')
        .flatMap(edgesOf)
        .map((e) => e.to),
    );
    const scoped = edges.filter(
      (edge) =>
        edge.from.endsWith('/port.ts') && edge.to === 'server/lib/scope.ts' && !checked.has(edge.from),
    );
    expectNone(scoped.map((edge) => edge.from));
  });
});
