// The imports of the source: the edges between files, read from the source.
import { posix } from 'node:path';
import { isNode, lineOf, literalText, nodesOf, type SourceFile, type SyntaxNode } from './parse.ts';

/**
 * - `runtime`: an import that Node follows, at once or on first use
 * - `type`: erased before Node sees it
 * - `entry`: a file that is started as a thread or process of its own
 */
export type EdgeKind = 'runtime' | 'type' | 'entry';

export interface Edge {
  readonly from: string;
  /** A path from the root of the repository, or the name of a package. */
  readonly to: string;
  readonly ours: boolean;
  readonly kind: EdgeKind;
  readonly line: number;
}

type Found = { readonly specifier: string; readonly kind: EdgeKind };

/** A statement that names a module. `{ type A }` alone still loads the module, so only `import type` counts as a type. */
const statement = (node: SyntaxNode): Found | undefined => {
  const specifier = literalText(node.source);
  if (specifier === undefined) return;
  const erased = node.importKind === 'type' || node.exportKind === 'type';
  if (node.type === 'TSImportType') return { specifier, kind: 'type' };
  return { specifier, kind: erased ? 'type' : 'runtime' };
};

/** `new URL('./thread.ts', import.meta.url)` and `entry('./thread', import.meta.url)`. */
const threadEntry = (node: SyntaxNode): Found | undefined => {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
  const callee = isNode(node.callee) ? node.callee.name : undefined;
  const name = literalText((node.arguments as SyntaxNode[])[0]);
  if (name === undefined || (callee !== 'entry' && callee !== 'URL')) return;
  if (callee === 'URL' && !/^\.{1,2}\/.*\.ts$/.test(name)) return;
  const relative = name.startsWith('.') ? name : `./${name}`;
  return { specifier: relative.endsWith('.ts') ? relative : `${relative}.ts`, kind: 'entry' };
};

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

export const edgesOf = (file: SourceFile): Edge[] =>
  nodesOf(file.tree).flatMap((node) => {
    const found = statement(node) ?? threadEntry(node);
    if (!found) return [];
    const ours = found.specifier.startsWith('.');
    const to = ours ? posix.join(posix.dirname(file.path), found.specifier) : packageOf(found.specifier);
    return [{ from: file.path, to, ours, kind: found.kind, line: lineOf(file.text, node.start) }];
  });
