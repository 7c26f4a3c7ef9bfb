// Each target of `npm run measure` is missed by a planted breach and met without it.
import { describe, expect, test } from 'vitest';
import {
  filesOfRecipe,
  filesToAdd,
  importCircles,
  largestFolder,
  longFunctions,
  looseFiles,
  repeatedExports,
  riddleComments,
  sharedFunctionNames,
  uncheckedThreadCalls,
} from '../../scripts/source/measurements.ts';
import { parse } from '../../scripts/source/parse.ts';

const file = (path: string, text = '// Example.\n') => parse(path, text);
const files = (count: number, folder: string) =>
  Array.from({ length: count }, (_, at) => file(`${folder}/f${at}.ts`));

describe('loose files under server/', () => {
  test('main.ts alone is allowed', () => {
    expect(looseFiles([file('server/main.ts'), file('server/app/open.ts')]).isMet).toBe(true);
  });

  test('a second file is refused', () => {
    const found = looseFiles([file('server/main.ts'), file('server/helpers.ts')]);
    expect(found).toMatchObject({ isMet: false, today: '2', places: ['server/helpers.ts'] });
  });
});

test('a circle of type imports is refused', () => {
  const circle = [
    file('server/lib/a.ts', `import type { B } from './b.ts';`),
    file('server/lib/b.ts', `import type { A } from './a.ts';`),
  ];
  expect(importCircles(circle)).toMatchObject({ isMet: false, today: '1 (2 files)' });
  expect(importCircles(circle.slice(0, 1)).isMet).toBe(true);
});

test('a folder of more than twenty source files is refused', () => {
  expect(largestFolder(files(21, 'server/lib'))).toMatchObject({ isMet: false, places: ['server/lib: 21'] });
  expect(largestFolder([...files(20, 'server/lib'), ...files(20, 'server/lib/text')]).isMet).toBe(true);
});

describe('names of top-level functions', () => {
  const declares = (path: string, ...names: string[]) =>
    file(path, names.map((name) => `const ${name} = () => 1;`).join('\n'));

  test('a name in two files counts for both', () => {
    const found = sharedFunctionNames([
      declares('server/lib/a.ts', 'placeOf', 'first'),
      declares('server/lib/b.ts', 'placeOf', 'second'),
    ]);
    expect(found).toMatchObject({ isMet: false, today: '50.0 % (2 of 4)' });
    expect(found.places).toEqual(['placeOf: server/lib/a.ts, server/lib/b.ts']);
  });

  test('constants, types and inner functions do not count', () => {
    const text = 'const place = 1; type Place = string; const outer = () => { const placeOf = () => 1; };';
    expect(
      sharedFunctionNames([file('server/lib/a.ts', text), declares('server/lib/b.ts', 'placeOf', 'place')])
        .isMet,
    ).toBe(true);
  });

  test('a function declaration counts as well', () => {
    const one = file('server/lib/a.ts', 'function read() {}');
    expect(sharedFunctionNames([one, declares('server/lib/b.ts', 'read')]).isMet).toBe(false);
  });
});

test('an exported name that occurs twice in server/ is refused, whatever it names', () => {
  const twice = [
    file('server/lib/a.ts', 'export interface Place { at: number }'),
    file('server/core/b.ts', 'export const Place = 1;'),
  ];
  expect(repeatedExports(twice)).toMatchObject({ isMet: false, today: '1' });
  const elsewhere = [twice[0] ?? file('x'), file('tools/b.ts', 'export const Place = 1;')];
  expect(repeatedExports(elsewhere).isMet).toBe(true);
});

test('a function of more than 60 lines is refused, its inner functions counted', () => {
  const inner = (count: number) => `  const step = () => {\n${'    work();\n'.repeat(count)}  };\n`;
  const closure = (count: number) => `const create = () => {\n${inner(count)}};\n`;
  expect(longFunctions([file('server/lib/a.ts', closure(57))])).toMatchObject({
    isMet: false,
    today: '1 (create 61)',
  });
  expect(longFunctions([file('server/lib/a.ts', closure(56))]).isMet).toBe(true);
});

test('comments that open with What, Which, Whether, How, When or Where are refused above 5 %', () => {
  const plain = '// A sentence.\n'.repeat(19);
  expect(riddleComments([file('server/lib/a.ts', `${plain}// What it does.\n`)]).isMet).toBe(true);
  expect(
    riddleComments([file('server/lib/a.ts', `${plain}/**\n * Whether it is.\n * How it works.\n */\n`)])
      .isMet,
  ).toBe(false);
});

describe('calls across the thread boundary', () => {
  const caller = file('server/adapters/store/a.ts', `call('submit', reach); thread.tell('served', tags);`);

  test('a call by an unchecked string is refused', () => {
    const rpc = file('server/lib/threads/rpc.ts', 'export type Call = (name: string) => Promise<unknown>;');
    expect(uncheckedThreadCalls([rpc, caller])).toMatchObject({ isMet: false, today: '2' });
  });

  test('a call by a key of the commands is allowed', () => {
    const text = 'export type Call<Commands> = <K extends keyof Commands>(name: K) => Promise<unknown>;';
    expect(uncheckedThreadCalls([file('server/lib/threads/rpc.ts', text), caller]).isMet).toBe(true);
  });
});

describe('recipes', () => {
  const recipe = (title: string, count: number) =>
    `## ${title}\n\n${Array.from({ length: count }, (_, at) => `${at + 1}. \`a/${at}.ts\`: text`).join('\n')}\n\n`;
  const page = (extractorFiles: number) =>
    [
      recipe('Add an operation', 3),
      recipe('Add an operation with a new query', 6),
      recipe('Add an extractor', extractorFiles),
      recipe('Add a setting', 2),
      recipe('Add an embedder', 3),
    ].join('');

  test('the numbered files of a recipe are counted', () => {
    expect(filesOfRecipe(page(2), 'Add an extractor')).toEqual(['a/0.ts', 'a/1.ts']);
    expect(filesToAdd(page(2))).toMatchObject({ isMet: true, today: '3 / 6 / 2 / 2 / 3' });
  });

  test('a recipe with one file more is refused, and so is one that is missing', () => {
    expect(filesToAdd(page(3)).places).toEqual(['Add an extractor: 3 files, at most 2']);
    expect(filesToAdd(page(0)).isMet).toBe(false);
  });
});
