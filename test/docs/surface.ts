// What the documentation has to name: settings, operations and subcommands, read from where they are defined.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isNode, literalText, nodesOf, root, type SourceFile, type SyntaxNode } from '../layout/parse.ts';

export interface Setting {
  readonly name: string;
  readonly sentence: string | undefined;
}

/** The environment variables of `settings` in server/config.ts, with the sentence each is described by. */
export const readSettings = async (): Promise<Setting[]> => {
  const config = join(root, 'server', 'config.ts');
  if (!existsSync(config)) return [];
  const { settings } = (await import(pathToFileURL(config).href)) as {
    settings: { shape: Record<string, { description?: string | undefined }> };
  };
  return Object.entries(settings.shape).map(([name, { description }]) => ({ name, sentence: description }));
};

/** The text of a property of an object literal. */
const property = (node: SyntaxNode, name: string): string | undefined => {
  const found = (node.properties as SyntaxNode[]).find(({ key }) => isNode(key) && key.name === name);
  return literalText(found?.value);
};

/** `POST /v3/documents`, for every object literal that has a method and a path. */
export const routesOf = (file: SourceFile): string[] =>
  nodesOf(file.tree)
    .filter((node) => node.type === 'ObjectExpression')
    .map((node) => ({ method: property(node, 'method'), path: property(node, 'path') }))
    .flatMap(({ method, path }) => (method && path ? [`${method} ${path}`] : []));

/** The first word of every `.command('name <argument>')`. */
export const subcommandsOf = (file: SourceFile): string[] =>
  nodesOf(file.tree)
    .filter((node) => node.type === 'CallExpression' && isNode(node.callee) && isNode(node.callee.property))
    .filter((node) => ((node.callee as SyntaxNode).property as SyntaxNode).name === 'command')
    .flatMap((node) => literalText((node.arguments as SyntaxNode[])[0])?.split(' ')[0] ?? []);

/** A file's text from the root of the repository; one that does not exist yet says nothing. */
export const textOf = (path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

/** The relative links of a Markdown text, without their fragments; code is no link. */
export const linksOf = (markdown: string): string[] =>
  [...markdown.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/i.test(target));
