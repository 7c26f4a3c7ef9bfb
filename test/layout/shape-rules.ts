// The shape of a file: its size, its functions and their parameters, and a few words that it may not contain.
import { type FoundFunction, functionsOf, isFunction } from '../../scripts/source/functions.ts';
import {
  isGenerated,
  isNode,
  lineOf,
  nodesOf,
  type SourceFile,
  type SyntaxNode,
} from '../../scripts/source/parse.ts';

const fileLimit = 400;
const MOST_PARAMETERS = 4;
/** A test server or a test store is set up in one place. */
const LONGEST_IN_TESTS = 100;

/** A rule lists the breaches in one file, each as a line that names the place. */
export interface ShapeRule {
  readonly sentence: string;
  readonly broken: (file: SourceFile) => string[];
}

const isTest = (file: SourceFile): boolean => file.path.startsWith('test/');
/** Promises and labelled samples: rows, and nothing that runs. */
const isRows = (file: SourceFile): boolean => isTest(file) && !nodesOf(file.tree).some(isFunction);
const linesOf = (file: SourceFile): number => file.text.trimEnd().split('\n').length;

const filesAreShort: ShapeRule = {
  sentence: `a file has at most ${fileLimit} lines, generated ones and tables of test rows aside`,
  broken: (file) =>
    isGenerated(file) || linesOf(file) <= fileLimit || isRows(file)
      ? []
      : [`${file.path}  ${linesOf(file)} lines`],
};

const filesSayWhatTheyAre: ShapeRule = {
  sentence: 'the first line of a file says what it is; a test is told by its name',
  broken: (file) => (isTest(file) || /^(\/\/|\/\*)/.test(file.text) ? [] : [file.path]),
};

// --- functions -------------------------------------------------------------------------------------

const placeOf = (file: SourceFile, { name, line }: FoundFunction): string =>
  `${file.path}:${line}  ${name ?? '(without a name)'}`;

/** A contract lists its tests, each of them a function of its own. */
const isContract = ({ name }: FoundFunction): boolean => name?.endsWith('Contract') ?? false;

const functionsOfTestsAreShort: ShapeRule = {
  sentence: `a named function of a test has at most ${LONGEST_IN_TESTS} lines, contracts aside`,
  broken: (file) =>
    isTest(file)
      ? functionsOf(file)
          .filter((found) => found.name !== undefined && !isContract(found) && found.lines > LONGEST_IN_TESTS)
          .map((found) => `${placeOf(file, found)}: ${found.lines} lines`)
      : [],
};

const parametersAreFew: ShapeRule = {
  sentence: `a function takes at most ${MOST_PARAMETERS} parameters: more become one bound context`,
  broken: (file) =>
    isTest(file) || isGenerated(file)
      ? []
      : functionsOf(file)
          .filter(({ node }) => (node.params as unknown[]).length > MOST_PARAMETERS)
          .map((found) => `${placeOf(file, found)}: ${(found.node.params as unknown[]).length} parameters`),
};

/** Only `function` can be a generator or an assertion. */
const mayBeDeclared = (declaration: SyntaxNode): boolean =>
  declaration.generator === true || JSON.stringify(declaration.returnType ?? null).includes('"asserts":true');

const functionsAreArrows: ShapeRule = {
  sentence: 'a function at the top of a file is an arrow, generators and assertions aside',
  broken: (file) =>
    isTest(file) || isGenerated(file)
      ? []
      : (file.tree.body as SyntaxNode[])
          .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
          .filter((declaration) => declaration.type === 'FunctionDeclaration' && !mayBeDeclared(declaration))
          .map((declaration) => `${file.path}:${lineOf(file.text, declaration.start)}`),
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

/** The rule looks for the word itself, so that neither a destructured nor a computed `mint` slips through. */
const scopesAreMintedByAccess: ShapeRule = {
  sentence: 'a Scope is minted in server/domain/access/ alone',
  broken: (file) =>
    isTest(file) || /^server\/(domain\/access\/|core\/scope\.ts$)/.test(file.path)
      ? []
      : nodesOf(file.tree)
          .filter((node) => node.name === 'mint' || node.value === 'mint')
          .map((node) => `${file.path}:${lineOf(file.text, node.start)}`),
};

/** Words that one database alone understands; "dialect.ts" has the shared ones. */
const ONE_DATABASE =
  /\b(?:rowid|json_\w+|match|instr|strpos|glob|pragma|unnest)\b|::|\bany\(|\bor (?:ignore|replace)\b/gi;

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));

const sharedStatementsNameNoDatabase: ShapeRule = {
  sentence: 'the queries of the store are written for every database',
  broken: (file) =>
    /^server\/adapters\/store\/(?:queries|statements)\//.test(file.path)
      ? [...withoutComments(file.text).matchAll(ONE_DATABASE)].map(
          (found) => `${file.path}:${lineOf(file.text, found.index)}  ${found[0]}`,
        )
      : [],
};

export const shapeRules: readonly ShapeRule[] = [
  filesAreShort,
  filesSayWhatTheyAre,
  functionsOfTestsAreShort,
  parametersAreFew,
  functionsAreArrows,
  nothingUnfinished,
  noBarrels,
  scopesAreMintedByAccess,
  sharedStatementsNameNoDatabase,
];
