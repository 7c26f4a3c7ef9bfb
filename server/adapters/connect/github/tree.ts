// The files of a commit.
import { z } from 'zod';
import { askAs } from '../answer-shape.ts';
import { SourceError } from '../source-error.ts';
import { type GitHub, HEADERS } from './api.ts';

const TREE = z.object({
  truncated: z.boolean().default(false),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().optional(),
    }),
  ),
});
export type TreeEntry = z.output<typeof TREE>['tree'][number];

const askTree = (
  { api, tools }: GitHub,
  name: string,
  { sha, whole }: { sha: string; whole: boolean },
  signal: AbortSignal,
) =>
  askAs(tools.ask, `${api.rest}/repos/${name}/git/trees/${sha}${whole ? '?recursive=1' : ''}`, {
    ...{ shape: TREE, what: 'a tree of files', signal },
    request: { headers: HEADERS, template: '/repos/{owner}/{name}/git/trees/{sha}' },
  });

/** All files below a tree in a fixed order. A tree that is too large for one answer is walked folder by folder. */
export async function* treeFiles(
  github: GitHub,
  name: string,
  { sha, prefix }: { sha: string; prefix: string },
  signal: AbortSignal,
): AsyncGenerator<TreeEntry> {
  const below = await askTree(github, name, { sha, whole: true }, signal);
  if (!below.truncated) {
    for (const entry of below.tree) if (entry.type === 'blob') yield { ...entry, path: prefix + entry.path };
    return;
  }
  const { tree, truncated } = await askTree(github, name, { sha, whole: false }, signal);
  if (truncated)
    throw new SourceError(
      'refused',
      `A single folder of ${name} has more files than GitHub lists (${prefix || '/'}). Choose another repository.`,
    );
  for (const entry of tree) {
    const path = prefix + entry.path;
    if (entry.type === 'blob') yield { ...entry, path };
    if (entry.type === 'tree') yield* treeFiles(github, name, { sha: entry.sha, prefix: `${path}/` }, signal);
  }
}
