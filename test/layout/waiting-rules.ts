// Tests wait for a condition, not for a time, and assert no upper bound of wall time.
import { isNode, lineOf, nodesOf, type SourceFile, type SyntaxNode } from '../../scripts/source/parse.ts';
import type { ShapeRule } from './shape-rules.ts';

/** Files that may set timers, and why. */
const mayWait: readonly [pattern: RegExp, why: string][] = [
  [/^test\/support\/until\.ts$/, 'the one helper that waits'],
  [/^test\/(bench|crash|fuzz|mutation|scale|soak|tour)\//, 'programs that play load against time'],
];

const isHeld = ({ path }: SourceFile): boolean =>
  path.startsWith('test/') && !mayWait.some(([pattern]) => pattern.test(path));

const at = (file: SourceFile, start: number): string => `${file.path}:${lineOf(file.text, start)}`;

const timers = /^(node:)?timers\/promises$/;

const calls = (node: SyntaxNode, name: RegExp): boolean => {
  const { callee } = node;
  if (node.type !== 'CallExpression' || !isNode(callee)) return false;
  const called = isNode(callee.property) ? callee.property : callee;
  return typeof called.name === 'string' && name.test(called.name);
};

const conditionsAreWaitedFor: ShapeRule = {
  sentence: 'a test waits for a condition by test/support/until.ts and sets no timer of its own',
  broken: (file) =>
    isHeld(file)
      ? nodesOf(file.tree)
          .filter(
            (node) =>
              calls(node, /^setTimeout$/) || (typeof node.value === 'string' && timers.test(node.value)),
          )
          .map((node) => at(file, node.start))
      : [],
};

const timeHasNoUpperBound: ShapeRule = {
  sentence: 'no test asserts that something took less than a time: only test/bench/ measures',
  broken: (file) =>
    isHeld(file)
      ? nodesOf(file.tree)
          .filter((node) => calls(node, /^toBeLessThan/) && isNode(node.callee))
          .filter(
            ({ callee }) =>
              isNode(callee) &&
              isNode(callee.object) &&
              /\.now\(\)/.test(file.text.slice(callee.object.start, callee.object.end)),
          )
          .map((node) => at(file, node.start))
      : [],
};

export const waitingRules: readonly ShapeRule[] = [conditionsAreWaitedFor, timeHasNoUpperBound];
