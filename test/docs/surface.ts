// What the documentation has to name: settings, operations and subcommands, read from where they are defined.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isNode,
  literalText,
  nodesOf,
  root,
  type SourceFile,
  type SyntaxNode,
} from '../../scripts/source/parse.ts';
import { orderedGroups } from '../../server/config/config.ts';

export interface Setting {
  readonly name: string;
  readonly sentence: string | undefined;
}

/** The environment variables of the groups in server/config/settings/, each with its help text. */
export const readSettings = (): Setting[] =>
  orderedGroups.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, { help }]) => ({ name, sentence: help })),
  );

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

const targetsOf = (markdown: string): string[] =>
  [...markdown.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target));

/** The relative links of a Markdown text, without their fragments; code is no link. */
export const linksOf = (markdown: string): string[] =>
  targetsOf(markdown)
    .map((target) => target.split('#')[0] ?? '')
    .filter((target) => target !== '');

/** The links to a heading: the file, empty for the same page, and the fragment. */
export const fragmentsOf = (markdown: string): { target: string; fragment: string }[] =>
  targetsOf(markdown).flatMap((link) => {
    const [target = '', fragment = ''] = link.split('#');
    return fragment === '' ? [] : [{ target, fragment }];
  });

/** The fragments by which the headings of a Markdown text are linked. */
export const anchorsOf = (markdown: string): string[] =>
  [...markdown.replace(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
