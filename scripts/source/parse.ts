// Reads TypeScript source as a syntax tree, for the tests that read the source.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseAst } from 'vitest/node';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: SyntaxNode;
}

export const root = join(import.meta.dirname, '..', '..');

export const parse = (path: string, text: string): SourceFile => ({
  path,
  text,
  tree: parseAst(text, { lang: 'ts' }, path) as unknown as SyntaxNode,
});

/** Every `.ts` file below the folders, sorted. A folder that does not exist yet holds none. */
export const sourceFiles = (...folders: string[]): SourceFile[] =>
  folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => parse(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')));

const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** Loops, because the tests of the layout ask for the children of millions of nodes. */
export const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (const name in node) {
    const field = node[name];
    if (Array.isArray(field)) {
      for (const one of field) if (isNode(one)) children.push(one);
    } else if (isNode(field)) children.push(field);
  }
  return children;
};

/** The node and all that is below it. */
export const nodesOf = (node: SyntaxNode): SyntaxNode[] => {
  const all: SyntaxNode[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    all.push(next);
    const children = childrenOf(next);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as SyntaxNode);
  }
  return all;
};

/** The text of a string literal, or undefined where the node is anything else. */
export const literalText = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

const firstLine = (file: SourceFile): string => file.text.slice(0, file.text.indexOf('\n'));

/** True for a file whose first line says that it is generated. */
export const isGenerated = (file: SourceFile): boolean => /\bgenerated\b/i.test(firstLine(file));
