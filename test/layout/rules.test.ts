// The rules of test/layout.test.ts, tried on small made-up files: each must find what it is there to find.
import { describe, expect, test } from 'vitest';
import { cyclesOf, edgesOf } from './edges.ts';
import { importRules } from './import-rules.ts';
import { parse } from './parse.ts';
import { shapeRules } from './shape-rules.ts';

/** How many import rules one statement in one file breaks. */
const brokenImports = (path: string, statement: string): number =>
  edgesOf(parse(path, statement)).flatMap((edge) => importRules.filter((rule) => rule.broken(edge))).length;

describe('imports that are refused', () => {
  test.each([
    ['tools/documents/add.ts', `import express from 'express';`],
    ['tools/documents/add.ts', `import { readFile } from 'node:fs';`],
    ['tools/documents/add.ts', `import type { Store } from '../../server/adapters/store/port.ts';`],
    ['tools/context.ts', `import { openService } from '../server/service.ts';`],
    ['tools/context.ts', `export { type Service } from '../server/service.ts';`],
    ['server/http/app.ts', `import { openService } from '../service.ts';`],
    ['server/http/app.ts', `import type { Search } from '../domain/search/search.ts';`],
    ['server/cli/add.ts', `const { store } = await import('../adapters/store/sqlite.ts');`],
    ['server/cli/add.ts', `import { serve } from '../http/serve.ts';`],
    ['server/console/app.ts', `import { cut } from '../lib/cut.ts';`],
    ['server/domain/search/plan.ts', `import { cut } from '../documents/cut.ts';`],
    ['server/domain/search/plan.ts', `import { open } from '../../adapters/store/port.ts';`],
    ['server/domain/search/plan.ts', `import type { Sqlite } from '../../adapters/store/sqlite.ts';`],
    ['server/domain/search/plan.ts', `import type { Operation } from '../../../tools/contract.ts';`],
    ['server/adapters/embed/openai.ts', `import { chroma } from '../vectors/chroma.ts';`],
    ['server/adapters/embed/openai.ts', `new Worker(new URL('../store/thread.ts', import.meta.url));`],
    ['server/adapters/embed/openai.ts', `fork(entry('../../domain/pipeline/child', import.meta.url));`],
    ['server/invoke.ts', `import { mayWrite } from './domain/access/permission.ts';`],
    ['server/main.ts', `import { sqlite } from './adapters/store/sqlite.ts';`],
    ['server/service.ts', `import { run } from './ingest.ts';`],
    ['server/lib/cut.ts', `import { config } from '../config.ts';`],
    ['sdk/client.ts', `import type { Operation } from '../tools/contract.ts';`],
    ['server/lib/cut.ts', `import { sample } from '../../test/lib/sample.ts';`],
  ])('%s: %s', (path, statement) => expect(brokenImports(path, statement)).toBeGreaterThan(0));
});

describe('imports that are welcome', () => {
  test.each([
    ['tools/documents/add.ts', `import { z } from 'zod';`],
    ['tools/documents/add.ts', `import type { Service } from '../context.ts';`],
    ['tools/context.ts', `export type { Service } from '../server/service.ts';`],
    ['server/http/app.ts', `import type { Service } from '../service.ts';`],
    ['server/http/app.ts', `import { invoke } from '../invoke.ts'; import express from 'express';`],
    ['server/cli/add.ts', `import { print } from './print.ts'; import { Command } from 'commander';`],
    ['server/domain/search/plan.ts', `import type { Store } from '../../adapters/store/port.ts';`],
    ['server/domain/search/plan.ts', `import type { Documents } from '../documents/documents.ts';`],
    ['server/domain/search/plan.ts', `import type { Filter } from '../../../tools/shared/filters.ts';`],
    ['server/adapters/embed/openai.ts', `import { IngestError } from '../../errors.ts';`],
    ['server/adapters/store/sqlite.ts', `new Worker(entry('./thread', import.meta.url));`],
    ['server/service.ts', `import { sqlite } from './adapters/store/sqlite.ts';`],
    ['server/service.ts', `new Worker(entry('./ingest', import.meta.url));`],
    ['server/main.ts', `import { openService } from './service.ts';`],
  ])('%s: %s', (path, statement) => expect(brokenImports(path, statement)).toBe(0));
});

test('a circle of imports is found, one of types is none', () => {
  const edges = (kind: string) =>
    [
      parse('server/lib/a.ts', `import ${kind} { b } from './b.ts';`),
      parse('server/lib/b.ts', `import { c } from './c.ts';`),
      parse('server/lib/c.ts', `export const c = () => import('./a.ts');`),
    ].flatMap(edgesOf);
  expect(cyclesOf(edges(''))).toEqual([
    ['server/lib/a.ts', 'server/lib/b.ts', 'server/lib/c.ts', 'server/lib/a.ts'],
  ]);
  expect(cyclesOf(edges('type'))).toEqual([]);
});

describe('shape', () => {
  const problems = (path: string, text: string): string[] =>
    shapeRules.flatMap((rule) => rule.broken(parse(path, text)));
  const lines = (count: number): string => '  work();\n'.repeat(count);

  test('a function of more than 60 lines is named', () => {
    const text = `// Example.\nexport const long = () => {\n${lines(59)}};\n`;
    expect(problems('server/lib/x.ts', text)).toEqual(['server/lib/x.ts:2  long: 61 lines']);
  });

  test('a closure is as long as what is left without the functions it names', () => {
    const inner = `  const part = () => {\n${lines(50)}  };\n`;
    expect(problems('server/lib/x.ts', `// Example.\nconst create = () => {\n${inner}${inner}};\n`)).toEqual(
      [],
    );
    const nameless = `  each(() => {\n${lines(50)}  });\n`;
    expect(
      problems('server/lib/x.ts', `// Example.\nconst create = () => {\n${nameless}${nameless}};\n`),
    ).toEqual(['server/lib/x.ts:2  create: 106 lines']);
  });

  test('a long file is named, unless its first line says that it is generated', () => {
    expect(problems('tools/x.ts', `// Example.\n${lines(350)}`)).toEqual(['tools/x.ts  351 lines']);
    expect(problems('tools/x.ts', `// Generated by npm run generate.\n${lines(350)}`)).toEqual([]);
  });

  test('a file says what it is, holds no barrel, and mints no Scope', () => {
    expect(problems('server/lib/x.ts', `export * from './y.ts';`)).toHaveLength(2);
    expect(problems('server/lib/x.ts', `// Example.\nScope.mint(null, null);`)).toEqual([
      'server/lib/x.ts:2',
    ]);
    expect(problems('server/lib/x.ts', `// Example.\nconst { mint } = Scope;`)).not.toEqual([]);
    expect(problems('server/domain/access/x.ts', `// Example.\nScope.mint(null, null);`)).toEqual([]);
  });

  test('a note to finish something later is found', () => {
    expect(problems('server/lib/x.ts', `// Example.\n// ${'TO'}${'DO'}: more`)).toHaveLength(1);
  });
});
