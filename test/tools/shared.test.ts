// Tests that tools/shared/ contains only fields of three or more groups of operations.
import { expect, test } from 'vitest';
import { edgesOf } from '../../scripts/source/edges.ts';
import { sourceFiles } from '../../scripts/source/parse.ts';

const FEWEST_GROUPS = 3;

const files = sourceFiles('tools');
const edges = files.flatMap(edgesOf);

/** The groups that import a shared file, directly or through another shared file. */
const groupsUsing = (path: string): Set<string> =>
  new Set(
    edges
      .filter(({ to }) => to === path)
      .flatMap(({ from }) =>
        from.startsWith('tools/shared/') ? [...groupsUsing(from)] : [from.split('/')[1] ?? ''],
      ),
  );

const shared = files.map(({ path }) => path).filter((path) => path.startsWith('tools/shared/'));

test.each(shared)('%s is used by three groups or more', (path) => {
  const groups = [...groupsUsing(path)].sort();
  expect(
    groups.length,
    `used by ${groups.join(', ') || 'nobody'}: move it into that group`,
  ).toBeGreaterThanOrEqual(FEWEST_GROUPS);
});
