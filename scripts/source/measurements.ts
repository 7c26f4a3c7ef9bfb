// Measures how easy the source is to read. `npm run measure` prints the figures, test/layout.test.ts holds the targets.
import { posix } from 'node:path';
import { circlesOfFiles } from './circles.ts';
import { edgesOf } from './edges.ts';
import { declarationsOf, functionsOf } from './functions.ts';
import { isGenerated, isNode, literalText, nodesOf, type SourceFile, type SyntaxNode } from './parse.ts';

export interface Measurement {
  readonly what: string;
  readonly today: string;
  readonly target: string;
  readonly isMet: boolean;
  /** The places that count against the target. */
  readonly places: readonly string[];
}

const LONGEST_FUNCTION = 60;
const MOST_FILES_IN_A_FOLDER = 20;
const SHARED_NAMES_PERCENT = 8;
const RIDDLES_PERCENT = 5;

const inServer = ({ path }: SourceFile): boolean => path.startsWith('server/');

const percent = (part: number, all: number): number => (all === 0 ? 0 : (100 * part) / all);

const filesByName = (
  files: readonly SourceFile[],
  names: (file: SourceFile) => readonly string[],
): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const file of files)
    for (const name of new Set(names(file))) found.set(name, [...(found.get(name) ?? []), file.path]);
  return found;
};

const repeated = (names: ReadonlyMap<string, string[]>): [name: string, files: string[]][] =>
  [...names].filter(([, paths]) => paths.length > 1).sort((one, other) => other[1].length - one[1].length);

const describeName = ([name, paths]: [string, string[]]): string => `${name}: ${paths.join(', ')}`;

export const looseFiles = (files: readonly SourceFile[]): Measurement => {
  const loose = files.map(({ path }) => path).filter((path) => /^server\/[^/]+$/.test(path));
  return {
    what: 'loose files under server/',
    today: String(loose.length),
    target: '1 (main.ts)',
    isMet: loose.join() === 'server/main.ts',
    places: loose.filter((path) => path !== 'server/main.ts'),
  };
};

export const importCircles = (files: readonly SourceFile[]): Measurement => {
  const circles = circlesOfFiles(files.flatMap(edgesOf));
  return {
    what: 'circles of imports, type imports counted',
    today:
      circles.length === 0
        ? '0'
        : `${circles.length} (${circles.map(({ length }) => length).join(', ')} files)`,
    target: '0',
    isMet: circles.length === 0,
    places: circles.map((circle) => circle.join(', ')),
  };
};

export const largestFolder = (files: readonly SourceFile[]): Measurement => {
  const folders = [...Map.groupBy(files, ({ path }) => posix.dirname(path))]
    .map(([folder, inside]) => ({ folder, count: inside.length }))
    // Migrations stay for ever, in one order, so their folder can only grow.
    .filter(({ folder }) => posix.basename(folder) !== 'migrations')
    .sort((one, other) => other.count - one.count);
  const largest = folders[0] ?? { folder: '', count: 0 };
  return {
    what: 'largest flat folder of source files',
    today: `${largest.count} (${largest.folder})`,
    target: `${MOST_FILES_IN_A_FOLDER} (aim: 15)`,
    isMet: largest.count <= MOST_FILES_IN_A_FOLDER,
    places: folders
      .filter(({ count }) => count > MOST_FILES_IN_A_FOLDER)
      .map(({ folder, count }) => `${folder}: ${count}`),
  };
};

export const sharedFunctionNames = (files: readonly SourceFile[]): Measurement => {
  const names = filesByName(files, (file) =>
    declarationsOf(file)
      .filter((declared) => declared.isFunction)
      .map(({ name }) => name),
  );
  const count = (found: Iterable<readonly [string, readonly string[]]>): number =>
    [...found].reduce((sum, [, paths]) => sum + paths.length, 0);
  const shared = repeated(names);
  const share = percent(count(shared), count(names));
  return {
    what: 'top-level functions whose name occurs in more than one file',
    today: `${share.toFixed(1)} % (${count(shared)} of ${count(names)})`,
    target: `${SHARED_NAMES_PERCENT} %`,
    isMet: share <= SHARED_NAMES_PERCENT,
    places: shared.map(describeName),
  };
};

export const repeatedExports = (files: readonly SourceFile[]): Measurement => {
  const names = filesByName(files.filter(inServer), (file) =>
    declarationsOf(file)
      .filter(({ isExported }) => isExported)
      .map(({ name }) => name),
  );
  const twice = repeated(names);
  return {
    what: 'exported names that occur twice in server/',
    today: String(twice.length),
    target: '0',
    isMet: twice.length === 0,
    places: twice.map(describeName),
  };
};

export const longFunctions = (files: readonly SourceFile[]): Measurement => {
  const long = files
    .flatMap((file) => functionsOf(file).map((found) => ({ ...found, path: file.path })))
    .filter(({ lines }) => lines > LONGEST_FUNCTION)
    .sort((one, other) => other.lines - one.lines);
  const [longest] = long;
  return {
    what: `functions over ${LONGEST_FUNCTION} lines, closures counted whole`,
    today: longest === undefined ? '0' : `${long.length} (${longest.name} ${longest.lines})`,
    target: `0; largest ${LONGEST_FUNCTION}`,
    isMet: long.length === 0,
    places: long.map(
      ({ path, line, name, lines }) => `${path}:${line} ${name ?? '(no name)'}: ${lines} lines`,
    ),
  };
};

const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(.*?)(?:\*\/)?\s*$/;
const RIDDLE = /^(?:What|Which|Whether|How|When|Where)\b/;

const commentLines = ({ path, text }: SourceFile): { place: string; words: string }[] =>
  text.split('\n').flatMap((line, at) => {
    const words = COMMENT.exec(line)?.[1]?.trim() ?? '';
    return words === '' ? [] : [{ place: `${path}:${at + 1}`, words }];
  });

export const riddleComments = (files: readonly SourceFile[]): Measurement => {
  const lines = files.flatMap(commentLines);
  const riddles = lines.filter(({ words }) => RIDDLE.test(words));
  const share = percent(riddles.length, lines.length);
  return {
    what: 'comment lines that open with What, Which, Whether, How, When, Where',
    today: `${share.toFixed(1)} % (${riddles.length} of ${lines.length})`,
    target: `${RIDDLES_PERCENT} %`,
    isMet: share <= RIDDLES_PERCENT,
    places: riddles.map(({ place, words }) => `${place} ${words}`),
  };
};

const RPC = 'server/lib/threads/rpc.ts';

const isCallByName = (node: SyntaxNode): boolean => {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const method = isNode(callee) ? (isNode(callee.property) ? callee.property.name : callee.name) : undefined;
  return (
    (method === 'call' || method === 'tell') && literalText((node.arguments as SyntaxNode[])[0]) !== undefined
  );
};

/** A call is checked where its name is a key of the thread's commands: `<K extends keyof Commands>(command: K, …)`. */
export const uncheckedThreadCalls = (files: readonly SourceFile[]): Measurement => {
  const rpc = files.find(({ path }) => path === RPC);
  const isChecked = rpc !== undefined && /<\s*\w+ extends keyof Commands\b/.test(rpc.text);
  const untyped = /\bCalls<(?:any|unknown|never)>|\bas Calls\b/;
  const unchecked = files
    .filter(inServer)
    .filter(({ text }) => !isChecked || untyped.test(text))
    .flatMap((file) =>
      nodesOf(file.tree)
        .filter(isCallByName)
        .map(() => file.path),
    );
  return {
    what: 'calls across the thread boundary by an unchecked string',
    today: String(unchecked.length),
    target: '0',
    isMet: rpc !== undefined && unchecked.length === 0,
    places: unchecked,
  };
};

/** The most files that a recipe may ask for, by the title of its section in docs/contributing.md. */
const RECIPES: Readonly<Record<string, number>> = {
  'Add an operation': 3,
  'Add an operation with a new query': 6,
  'Add an extractor': 2,
  'Add a setting': 2,
  'Add an embedder': 3,
};

/** The numbered files of the section `## <title>`: lines such as "1. `tools/notes/list.ts`: …". */
export const filesOfRecipe = (page: string, title: string): string[] => {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path);
};

export const filesToAdd = (page: string): Measurement => {
  const counts = Object.entries(RECIPES).map(([title, most]) => ({
    title,
    most,
    count: filesOfRecipe(page, title).length,
  }));
  const over = counts.filter(({ count, most }) => count === 0 || count > most);
  return {
    what: 'files written by hand to add an operation / one with a new query / an extractor / a setting / an embedder',
    today: counts.map(({ count }) => (count === 0 ? '?' : String(count))).join(' / '),
    target: counts.map(({ most }) => String(most)).join(' / '),
    isMet: over.length === 0,
    places: over.map(({ title, count, most }) => `${title}: ${count} files, at most ${most}`),
  };
};

export const measure = (all: readonly SourceFile[], contributing: string): Measurement[] => {
  const files = all.filter((file) => !isGenerated(file));
  return [
    looseFiles(files),
    importCircles(files),
    largestFolder(files),
    sharedFunctionNames(files),
    repeatedExports(files),
    longFunctions(files),
    filesToAdd(contributing),
    riddleComments(files),
    uncheckedThreadCalls(files),
  ];
};
