// The rules of ports, and of the files that are started as threads or processes.
import type { Edge } from '../../scripts/source/edges.ts';

const familyOf = (path: string): string[] => /^server\/adapters\/[^/]+(?=\/)/.exec(path)?.slice(0, 1) ?? [];

export const familiesWithoutPorts = (paths: readonly string[]): string[] =>
  [...new Set(paths.flatMap(familyOf))].filter(
    (family) => !paths.some((path) => path.startsWith(`${family}/port`)),
  );

/** The ports that take a Scope, less those that the type test imports. */
export const uncheckedPorts = (edges: readonly Edge[], typeTest: readonly Edge[]): string[] => {
  const checked = new Set(typeTest.map(({ to }) => to));
  return edges
    .filter(({ from, to }) => /\/port(?:s\/[a-z/-]+)?\.ts$/.test(from) && to === 'server/core/scope.ts')
    .map(({ from }) => from)
    .filter((port) => !checked.has(port));
};

export const missingEntries = (edges: readonly Edge[], known: ReadonlySet<string>): Edge[] =>
  edges.filter(({ kind, to }) => kind === 'entry' && !known.has(to));
