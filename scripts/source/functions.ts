// Functions in the source: their names, and their length with every inner function counted.
import { childrenOf, isNode, lineOf, type SourceFile, type SyntaxNode } from './parse.ts';

const FUNCTION_TYPES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export const isFunction = (node: unknown): node is SyntaxNode =>
  isNode(node) && FUNCTION_TYPES.has(node.type);

export interface FoundFunction {
  readonly name: string | undefined;
  readonly line: number;
  readonly lines: number;
  readonly node: SyntaxNode;
}

/** The function's own name, or the name of the variable, property or method that holds it. */
const nameOfFunction = (node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined => {
  const holder = parent?.type === 'CallExpression' ? undefined : (parent?.id ?? parent?.key);
  const label = [node.id, holder].find(isNode);
  return typeof label?.name === 'string' ? label.name : undefined;
};

const functionsBelow = (file: SourceFile, node: SyntaxNode, parent?: SyntaxNode): FoundFunction[] => {
  const inner = childrenOf(node).flatMap((child) => functionsBelow(file, child, node));
  if (!isFunction(node)) return inner;
  const line = lineOf(file.text, node.start);
  const lines = lineOf(file.text, node.end) - line + 1;
  return [{ name: nameOfFunction(node, parent), line, lines, node }, ...inner];
};

/** Every function of a file, the outer ones first. */
export const functionsOf = (file: SourceFile): FoundFunction[] => functionsBelow(file, file.tree);

export interface Declared {
  readonly name: string;
  readonly isFunction: boolean;
  readonly isExported: boolean;
}

const nameOfNode = (node: unknown): string | undefined =>
  isNode(node) && typeof node.name === 'string' ? node.name : undefined;

const declaredBy = (declaration: SyntaxNode, isExported: boolean): Declared[] => {
  if (declaration.type === 'VariableDeclaration')
    return (declaration.declarations as SyntaxNode[]).flatMap(({ id, init }) => {
      const name = nameOfNode(id);
      return name === undefined ? [] : [{ name, isFunction: isFunction(init), isExported }];
    });
  const name = nameOfNode(declaration.id);
  return name === undefined
    ? []
    : [{ name, isFunction: declaration.type === 'FunctionDeclaration', isExported }];
};

/** The declarations at the top level of a file: functions, constants, types, classes. */
export const declarationsOf = (file: SourceFile): Declared[] =>
  (file.tree.body as SyntaxNode[]).flatMap((statement) => {
    const isExport = statement.type === 'ExportNamedDeclaration';
    const declaration = isExport ? statement.declaration : statement;
    return isNode(declaration) ? declaredBy(declaration, isExport) : [];
  });
