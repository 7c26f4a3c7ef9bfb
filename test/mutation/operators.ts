// The fixed list of faults that the mutation test plants, each as a change of one place in a file.
import {
  isNode,
  lineOf,
  literalText,
  nodesOf,
  parse,
  type SourceFile,
  type SyntaxNode,
} from '../../scripts/source/parse.ts';

export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Operator {
  readonly name: string;
  readonly edits: (node: SyntaxNode, text: string) => readonly Edit[];
}

const textOf = (text: string, node: SyntaxNode): string => text.slice(node.start, node.end);

const replace = (node: SyntaxNode, replacement: string): Edit[] => [
  { start: node.start, end: node.end, replacement },
];

const negateCondition: Operator = {
  name: 'negate a condition',
  edits: (node, text) =>
    (node.type === 'IfStatement' || node.type === 'ConditionalExpression') && isNode(node.test)
      ? replace(node.test, `!(${textOf(text, node.test)})`)
      : [],
};

/** The text of a message is no behaviour that tests have to hold. */
const isTold = (statement: string): boolean => /^(await )?(\w+\.)*(log|warn|print)\b/.test(statement);

const dropStatement: Operator = {
  name: 'drop a statement',
  edits: (node, text) =>
    node.type === 'ExpressionStatement' && !isTold(textOf(text, node)) ? replace(node, ';') : [],
};

const dropAwait: Operator = {
  name: 'drop an await',
  edits(node, text) {
    const awaited = node.type === 'ExpressionStatement' ? node.expression : undefined;
    if (!isNode(awaited) || awaited.type !== 'AwaitExpression' || !isNode(awaited.argument)) return [];
    return replace(awaited, `void ${textOf(text, awaited.argument)}`);
  },
};

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

const swapped = (node: SyntaxNode, text: string, swaps: Readonly<Record<string, string>>): Edit[] => {
  const { left, right } = node;
  const other = swaps[String(node.operator)];
  if (!isNode(left) || !isNode(right) || other === undefined) return [];
  return replace(node, `(${textOf(text, left)} ${other} ${textOf(text, right)})`);
};

const swapComparison: Operator = {
  name: 'swap a comparison',
  edits: (node, text) => (node.type === 'BinaryExpression' ? swapped(node, text, COMPARISONS) : []),
};

const swapLogic: Operator = {
  name: 'swap and with or',
  edits: (node, text) => (node.type === 'LogicalExpression' ? swapped(node, text, LOGICAL) : []),
};

const changeConstant: Operator = {
  name: 'change a constant by one',
  edits: (node, text) =>
    node.type === 'Literal' && typeof node.value === 'number' && /^\d+$/.test(textOf(text, node))
      ? replace(node, String(node.value + 1))
      : [],
};

const flipTruth: Operator = {
  name: 'flip a truth value',
  edits: (node) =>
    node.type === 'Literal' && typeof node.value === 'boolean' ? replace(node, String(!node.value)) : [],
};

const returnEarly: Operator = {
  name: 'return early',
  edits(node) {
    const block = /Function/.test(node.type) ? node.body : undefined;
    if (!isNode(block) || !Array.isArray(block.body)) return [];
    const [first, ...others] = (block.body as SyntaxNode[]).filter(isNode);
    if (first === undefined || others.length === 0) return [];
    return [{ start: first.start, end: first.start, replacement: 'return undefined as never; ' }];
  },
};

const swapExtremes: Operator = {
  name: 'swap least and most',
  edits(node, text) {
    const called = node.type === 'CallExpression' && isNode(node.callee) ? textOf(text, node.callee) : '';
    if (!isNode(node.callee) || !/^Math\.(min|max)$/.test(called)) return [];
    return replace(node.callee, called === 'Math.min' ? 'Math.max' : 'Math.min');
  },
};

/** A condition of a query that is built by calls. */
const dropWhere: Operator = {
  name: 'drop a condition of a query',
  edits(node, text) {
    const { callee } = node;
    if (node.type !== 'CallExpression' || !isNode(callee) || !isNode(callee.object)) return [];
    const name = isNode(callee.property) ? callee.property.name : undefined;
    return name === 'where' || name === 'whereRef' ? replace(node, textOf(text, callee.object)) : [];
  },
};

const isSql = (text: string): boolean => /\b(select|update|delete from|insert|where)\b/.test(text);

const sqlPieces = (node: SyntaxNode, text: string): { start: number; sql: string }[] => {
  const isText = node.type === 'TemplateElement' || literalText(node) !== undefined;
  const sql = isText ? textOf(text, node) : '';
  return isSql(sql) ? [{ start: node.start, sql }] : [];
};

const inSql =
  (pattern: RegExp, change: (found: string) => string) =>
  (node: SyntaxNode, text: string): Edit[] =>
    sqlPieces(node, text).flatMap(({ start, sql }) =>
      [...sql.matchAll(pattern)].map((found) => ({
        start: start + found.index,
        end: start + found.index + found[0].length,
        replacement: change(found[0]),
      })),
    );

const dropSqlCondition: Operator = {
  name: 'drop a condition of SQL',
  // Up to the next part of the statement; a bracket or a value that is filled in would not be whole.
  edits: inSql(/\band [\w.]+ (?:=|<>|<=|>=|<|>|is not|is) (?:'[^']*'|\?\d?|[\w.]+)(?=\s|`|'|$)/g, () => ''),
};

const SQL_COMPARISONS: Readonly<Record<string, string>> = {
  ' >= ': ' > ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' < ': ' <= ',
  ' <> ': ' = ',
};

const swapSqlComparison: Operator = {
  name: 'swap a comparison of SQL',
  edits: inSql(/ (?:>=|<=|<>|>|<) /g, (found) => SQL_COMPARISONS[found] ?? found),
};

const swapSqlOrder: Operator = {
  name: 'turn an order of SQL',
  edits: inSql(/ desc\b/g, () => ' asc'),
};

export const operators: readonly Operator[] = [
  negateCondition,
  dropStatement,
  dropAwait,
  swapComparison,
  swapLogic,
  changeConstant,
  flipTruth,
  returnEarly,
  swapExtremes,
  dropWhere,
  dropSqlCondition,
  swapSqlComparison,
  swapSqlOrder,
];

/** Sizes, waits and other choices at the top of a file: another number is as good. */
const isChoice = (node: SyntaxNode): boolean =>
  node.type === 'VariableDeclaration' &&
  (node.declarations as SyntaxNode[]).every(
    ({ id, init }) =>
      isNode(id) && /^[A-Z][A-Z0-9_]*$/.test(String(id.name)) && isNode(init) && !nodesOf(init).some(isCode),
  );

const isCode = ({ type }: SyntaxNode): boolean => /Function|TemplateLiteral/.test(type);

const isType = ({ type }: SyntaxNode): boolean => /^TS(Interface|TypeAlias|Declare)/.test(type);

/** Nodes that can hold a fault: no types, no imports, no choices of numbers. */
const codeOf = ({ tree }: SourceFile): SyntaxNode[] => {
  const nodes = (tree.body as SyntaxNode[])
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .filter((statement) => !/^Import/.test(statement.type) && !isType(statement) && !isChoice(statement))
    .flatMap(nodesOf);
  const inTypes = new Set(nodes.filter(({ type }) => type === 'TSLiteralType').flatMap(nodesOf));
  return nodes.filter((node) => !inTypes.has(node));
};

const parses = (path: string, text: string): boolean => {
  try {
    parse(path, text);
    return true;
  } catch {
    return false;
  }
};

export const mutatedText = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);

/** Every fault that can be planted in a file. */
export const mutantsOf = (file: SourceFile): Mutant[] => {
  const nodes = codeOf(file);
  return operators.flatMap(({ name, edits }) =>
    nodes.flatMap((node) =>
      edits(node, file.text).map((edit) => ({
        ...edit,
        path: file.path,
        operator: name,
        line: lineOf(file.text, edit.start),
      })),
    ),
  );
};

export const isParsed = (file: SourceFile, mutant: Mutant): boolean =>
  parses(file.path, mutatedText(file.text, mutant));
