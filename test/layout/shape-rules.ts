// What a file may look like: its size, the size of its functions, and a few words it may not contain.
import { childrenOf, isNode, lineOf, nodesOf, type SourceFile, type SyntaxNode } from './parse.ts';

export const fileLimit = 350;
export const functionLimit = 60;

/** Each rule answers with what is wrong in one file, each a line that names the place. */
export interface ShapeRule {
  readonly sentence: string;
  readonly broken: (file: SourceFile) => string[];
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const firstLine = (file: SourceFile): string => file.text.slice(0, file.text.indexOf('\n'));
const isGenerated = (file: SourceFile): boolean => /\bgenerated\b/i.test(firstLine(file));
const isTest = (file: SourceFile): boolean => file.path.startsWith('test/');
/** Promises and labelled samples: rows, and nothing that runs. */
const isRows = (file: SourceFile): boolean =>
  isTest(file) && !nodesOf(file.tree).some((node) => functionTypes.has(node.type));
const linesOf = (file: SourceFile): number => file.text.trimEnd().split('\n').length;

const filesAreShort: ShapeRule = {
  sentence: `a file has at most ${fileLimit} lines, generated ones and tables of test rows aside`,
  broken: (file) =>
    isGenerated(file) || isRows(file) || linesOf(file) <= fileLimit
      ? []
      : [`${file.path}  ${linesOf(file)} lines`],
};

const filesSayWhatTheyAre: ShapeRule = {
  sentence: 'the first line of a file says what it is; a test is told by its name',
  broken: (file) => (isTest(file) || /^(\/\/|\/\*)/.test(file.text) ? [] : [file.path]),
};

// --- functions -------------------------------------------------------------------------------------

/** The name a function is known by: its own, or that of the variable, property or method that holds it. */
const nameOf = (node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined => {
  const label = [node.id, parent?.type === 'CallExpression' ? undefined : (parent?.id ?? parent?.key)].find(
    isNode,
  );
  return typeof label?.name === 'string' ? label.name : undefined;
};

interface NamedFunction {
  readonly name: string | undefined;
  readonly node: SyntaxNode;
  readonly inner: NamedFunction[];
}

const functionsBelow = (node: SyntaxNode, parent?: SyntaxNode): NamedFunction[] => {
  const inner = childrenOf(node).flatMap((child) => functionsBelow(child, node));
  return functionTypes.has(node.type) ? [{ name: nameOf(node, parent), node, inner }] : inner;
};

const everyFunction = (found: readonly NamedFunction[]): NamedFunction[] =>
  found.flatMap((one) => [one, ...everyFunction(one.inner)]);

const span = (file: SourceFile, node: SyntaxNode): number =>
  lineOf(file.text, node.end) - lineOf(file.text, node.start) + 1;

/** A function's lines without those of the named functions inside it: a closure is as long as what one reads at once. */
const ownLines = (file: SourceFile, one: NamedFunction): number =>
  one.inner.reduce(
    (lines, inner) => lines - (span(file, inner.node) - (inner.name ? 0 : ownLines(file, inner))),
    span(file, one.node),
  );

/** A contract only lists its tests, each of them a function of its own. */
const isContract = (one: NamedFunction): boolean => one.name?.endsWith('Contract') ?? false;

const functionsAreShort: ShapeRule = {
  sentence: `a function has at most ${functionLimit} lines of its own (tests: the named ones)`,
  broken: (file) =>
    isGenerated(file)
      ? []
      : everyFunction(functionsBelow(file.tree))
          .filter((one) => !isTest(file) || (one.name !== undefined && !isContract(one)))
          .filter((one) => ownLines(file, one) > functionLimit)
          .map((one) => {
            const at = `${file.path}:${lineOf(file.text, one.node.start)}`;
            return `${at}  ${one.name ?? '(without a name)'}: ${ownLines(file, one)} lines`;
          }),
};

// --- words -----------------------------------------------------------------------------------------

const unfinished = new RegExp(
  `\\b(${['TO', 'FIX'].map((start, i) => start + ['DO', 'ME'][i]).join('|')})\\b`,
  'g',
);

const nothingUnfinished: ShapeRule = {
  sentence: 'no file holds a note to finish it later',
  broken: (file) =>
    [...file.text.matchAll(unfinished)].map(
      (match) => `${file.path}:${lineOf(file.text, match.index)}  ${match[0]}`,
    ),
};

const noBarrels: ShapeRule = {
  sentence: 'nothing is exported with "export *"',
  broken: (file) =>
    nodesOf(file.tree)
      .filter((node) => node.type === 'ExportAllDeclaration')
      .map((node) => `${file.path}:${lineOf(file.text, node.start)}`),
};

/** The word itself is looked for, so that neither a destructured nor a computed `mint` slips through. */
const scopesAreMintedByAccess: ShapeRule = {
  sentence: 'a Scope is minted in server/domain/access/ alone',
  broken: (file) =>
    isTest(file) || /^server\/(domain\/access\/|lib\/scope\.ts$)/.test(file.path)
      ? []
      : nodesOf(file.tree)
          .filter((node) => node.name === 'mint' || node.value === 'mint')
          .map((node) => `${file.path}:${lineOf(file.text, node.start)}`),
};

export const shapeRules: readonly ShapeRule[] = [
  filesAreShort,
  filesSayWhatTheyAre,
  functionsAreShort,
  nothingUnfinished,
  noBarrels,
  scopesAreMintedByAccess,
];
