// The rules of test/layout.test.ts, tried on small made-up files: each must find what it is there to find.
import { describe, expect, test } from 'vitest';
import { circlesOfFiles, circlesOfFolders } from '../../scripts/source/circles.ts';
import { edgesOf } from '../../scripts/source/edges.ts';
import { parse } from '../../scripts/source/parse.ts';
import { importRules } from './import-rules.ts';
import { familiesWithoutPorts, missingEntries, uncheckedPorts } from './port-rules.ts';
import { shapeRules } from './shape-rules.ts';
import { waitingRules } from './waiting-rules.ts';

/** How many import rules one statement in one file breaks. */
const brokenImports = (path: string, statement: string): number =>
  edgesOf(parse(path, statement)).flatMap((edge) => importRules.filter((rule) => rule.broken(edge))).length;

/** One planted breach for every rule, and more where a rule has several sides. */
const REFUSED: readonly [path: string, statement: string][] = [
  ['server/http/app.ts', `import { openMemoir } from '../app/open.ts';`],
  ['server/http/app.ts', `import type { MemoirOptions } from '../app/options.ts';`],
  ['server/main.ts', `import { sqlite } from './adapters/store/sqlite/writer.ts';`],
  ['server/core/tag.ts', `import { newId } from '../lib/ids.ts';`],
  ['server/core/log.ts', `import pino from 'pino';`],
  ['server/lib/cut.ts', `import { badRequest } from '../core/errors.ts';`],
  ['server/config/config.ts', `import { openRequestedEmbedder } from '../adapters/embed/open.ts';`],
  ['server/calls/invoke.ts', `import { enter } from '../domain/access/scope.ts';`],
  ['server/calls/invoke.ts', `import type { Store } from '../adapters/store/ports/store.ts';`],
  ['tools/documents/add.ts', `import express from 'express';`],
  ['tools/documents/add.ts', `import { readFile } from 'node:fs';`],
  ['tools/documents/add.ts', `import type { Store } from '../../server/adapters/store/ports/store.ts';`],
  ['tools/context.ts', `import { createInvoke } from '../server/calls/invoke.ts';`],
  ['tools/context.ts', `export { type Service } from '../server/calls/service.ts';`],
  ['server/http/app.ts', `import type { Search } from '../domain/search/search.ts';`],
  ['server/http/app.ts', `import type { Settings } from '../config/settings.ts';`],
  ['server/cli/add.ts', `const { store } = await import('../adapters/store/sqlite/writer.ts');`],
  ['server/cli/add.ts', `import { serve } from '../http/serve.ts';`],
  ['server/console/app.ts', `import { cut } from '../lib/cut.ts';`],
  ['server/domain/search/plan.ts', `import { cut } from '../documents/cut.ts';`],
  ['server/domain/search/plan.ts', `import { open } from '../../adapters/store/ports/store.ts';`],
  ['server/domain/search/plan.ts', `import type { Sqlite } from '../../adapters/store/sqlite/writer.ts';`],
  ['server/domain/search/plan.ts', `import { operation } from '../../../tools/operation.ts';`],
  ['server/adapters/embed/openai.ts', `import { chroma } from '../vectors/chroma/open-chroma.ts';`],
  ['server/adapters/embed/openai.ts', `import type { Store } from '../store/ports/store.ts';`],
  ['server/adapters/embed/openai.ts', `import type { Plan } from '../../domain/search/plan.ts';`],
  ['server/adapters/embed/openai.ts', `new Worker(new URL('../store/thread.ts', import.meta.url));`],
  ['server/adapters/embed/openai.ts', `fork(entry('../../domain/ingestion/child', import.meta.url));`],
  ['server/adapters/store/queries/tags/tags.ts', `import type { W } from '../../sqlite/writer.ts';`],
  ['server/adapters/store/statements/run.ts', `import { DatabaseSync } from 'node:sqlite';`],
  ['sdk/client.ts', `import type { Operation } from '../tools/operation.ts';`],
  ['server/lib/cut.ts', `import { renderRegistry } from '../../scripts/generate.ts';`],
  ['server/http/app.ts', `import { createServer } from 'node:http';`],
  ['server/lib/cut.ts', `import { sample } from '../../test/lib/sample.ts';`],
];

describe('imports that are refused', () => {
  test.each(REFUSED)('%s: %s', (path, statement) =>
    expect(brokenImports(path, statement)).toBeGreaterThan(0),
  );

  test('every rule refuses at least one of them', () => {
    const planted = REFUSED.flatMap(([path, statement]) => edgesOf(parse(path, statement)));
    const idle = importRules.filter((rule) => !planted.some(rule.broken)).map((rule) => rule.sentence);
    expect(idle).toEqual([]);
  });
});

describe('imports that are allowed', () => {
  test.each([
    ['server/main.ts', `import { openMemoir } from './app/open.ts';`],
    ['server/app/open.ts', `import { sqlite } from '../adapters/store/sqlite/writer.ts';`],
    ['server/app/open.ts', `import { createSearch } from '../domain/search/search.ts';`],
    ['server/core/health.ts', `import { z } from 'zod'; import { join } from 'node:path';`],
    ['server/config/views.ts', `import type { EmbedSettings } from '../adapters/embed/open.ts';`],
    ['server/calls/service.ts', `import type { Search } from '../domain/search/search.ts';`],
    ['tools/documents/add.ts', `import { z } from 'zod';`],
    ['tools/documents/add.ts', `import type { Service } from '../context.ts';`],
    ['tools/context.ts', `export type { Service } from '../server/calls/service.ts';`],
    ['server/http/app.ts', `import type { Service } from '../calls/service.ts';`],
    ['server/http/app.ts', `import { invoke } from '../calls/invoke.ts'; import express from 'express';`],
    ['server/cli/add.ts', `import { print } from './print.ts'; import { Command } from 'commander';`],
    ['server/domain/search/plan.ts', `import type { Store } from '../../adapters/store/ports/store.ts';`],
    ['server/domain/search/plan.ts', `import type { Documents } from '../documents/documents.ts';`],
    ['server/domain/search/plan.ts', `import type { Filter } from '../../../tools/shared/filters.ts';`],
    ['server/adapters/embed/openai.ts', `import { IngestError } from '../../core/errors.ts';`],
    ['server/adapters/store/sqlite/writer.ts', `new Worker(entry('./thread', import.meta.url));`],
    ['scripts/generate.ts', `import { promises } from '../test/spec/promises.ts';`],
  ])('%s: %s', (path, statement) => expect(brokenImports(path, statement)).toBe(0));
});

describe('circles that are refused', () => {
  const edges = (...files: [path: string, statement: string][]) =>
    files.flatMap(([path, statement]) => edgesOf(parse(path, statement)));

  test.each(['', 'type'])('a circle of %s imports among three files', (kind) =>
    expect(
      circlesOfFiles(
        edges(
          ['server/lib/a.ts', `import ${kind} { b } from './b.ts';`],
          ['server/lib/b.ts', `import ${kind} { c } from './c.ts';`],
          ['server/lib/c.ts', `export const c = () => import('./a.ts');`],
        ),
      ),
    ).toEqual([['server/lib/a.ts', 'server/lib/b.ts', 'server/lib/c.ts']]),
  );

  test('a circle of type imports between two folders, although no file is in a circle', () =>
    expect(
      circlesOfFolders(
        edges(
          ['server/domain/search/find.ts', `import type { Memory } from '../memories/memory.ts';`],
          ['server/domain/memories/recall.ts', `import type { Search } from '../search/search.ts';`],
        ),
      ),
    ).toEqual([['server/domain/memories', 'server/domain/search']]));

  test('a folder and a file beside it that import each other', () =>
    expect(
      circlesOfFolders(
        edges(
          ['server/http/app.ts', `import { routes } from './oauth/routes.ts';`],
          ['server/http/oauth/routes.ts', `import type { App } from '../app.ts';`],
        ),
      ),
    ).toEqual([['server/http/app.ts', 'server/http/oauth']]));

  test('imports in one direction are no circle', () =>
    expect(
      circlesOfFolders(
        edges(
          ['server/http/app.ts', `import { routes } from './oauth/routes.ts';`],
          ['server/http/oauth/routes.ts', `import { send } from '../send.ts';`],
        ),
      ),
    ).toEqual([]));
});

describe('ports and entries', () => {
  test('an adapter folder without ports is found', () => {
    const paths = ['server/adapters/mail/smtp.ts', 'server/adapters/store/ports/store.ts'];
    expect(familiesWithoutPorts(paths)).toEqual(['server/adapters/mail']);
    expect(familiesWithoutPorts([...paths, 'server/adapters/mail/port.ts'])).toEqual([]);
  });

  test('a port that takes a Scope and that the type test forgets is found', () => {
    const port = edgesOf(
      parse('server/adapters/mail/port.ts', `import type { Scope } from '../../core/scope.ts';`),
    );
    const typeTest = edgesOf(
      parse('test/adapters/ports.test-d.ts', `import type { M } from '../../server/adapters/mail/port.ts';`),
    );
    expect(uncheckedPorts(port, [])).toEqual(['server/adapters/mail/port.ts']);
    expect(uncheckedPorts(port, typeTest)).toEqual([]);
  });

  test('a port in a folder below ports/ is found as well', () => {
    const path = 'server/adapters/store/ports/team/team.ts';
    const port = edgesOf(parse(path, `import type { Scope } from '../../../../core/scope.ts';`));
    expect(uncheckedPorts(port, [])).toEqual([path]);
  });

  test('a thread or process whose file does not exist is found', () => {
    const edges = edgesOf(
      parse('server/adapters/mail/open.ts', `new Worker(new URL('./thread.ts', import.meta.url));`),
    );
    expect(missingEntries(edges, new Set())).toHaveLength(1);
    expect(missingEntries(edges, new Set(['server/adapters/mail/thread.ts']))).toEqual([]);
  });
});

describe('shape', () => {
  const problems = (path: string, text: string): string[] =>
    shapeRules.flatMap((rule) => rule.broken(parse(path, text)));
  const lines = (count: number): string => '  work();\n'.repeat(count);

  test('a named function of more than 100 lines in a test is refused, a contract is not', () => {
    const text = (name: string) => `// Example.\nexport const ${name} = () => {\n${lines(99)}};\n`;
    expect(problems('test/lib/x.ts', text('long'))).toEqual(['test/lib/x.ts:2  long: 101 lines']);
    expect(problems('test/lib/x.ts', text('storeContract'))).toEqual([]);
  });

  test('a function with five parameters is refused, whatever its form', () => {
    const arrow = '// Example.\nconst add = (a: A, b: B, c: C, d: D, e: E) => a;\n';
    expect(problems('server/lib/x.ts', arrow)).toEqual(['server/lib/x.ts:2  add: 5 parameters']);
    expect(problems('server/lib/x.ts', arrow.replace(', e: E', ''))).toEqual([]);
    const inner = '// Example.\nexport const of = () => each((a, b, c, d, e) => a);\n';
    expect(problems('server/lib/x.ts', inner)).toHaveLength(1);
  });

  test('a function declaration at the top of a file is refused, a generator and an assertion are not', () => {
    expect(problems('server/lib/x.ts', '// Example.\nexport function read() {}\n')).toEqual([
      'server/lib/x.ts:2',
    ]);
    expect(problems('server/lib/x.ts', '// Example.\nfunction* read() {}\n')).toEqual([]);
    const assertion = '// Example.\nfunction check(value: unknown): asserts value is string {}\n';
    expect(problems('server/lib/x.ts', assertion)).toEqual([]);
  });

  test('a long file is named, unless its first line says that it is generated', () => {
    expect(problems('tools/x.ts', `// Example.\n${lines(400)}`)).toEqual(['tools/x.ts  401 lines']);
    expect(problems('tools/x.ts', `// Generated by npm run generate.\n${lines(400)}`)).toEqual([]);
  });

  test.each([
    "'select rowid from chunks'",
    '`select value from JSON_EACH($1)`',
    "'select n from words where words match $1'",
    "'instr(folded, $1) > 0'",
    "'code glob $1'",
    "'pragma user_version'",
    "'select $1::bigint'",
    "'select n from unnest($1)'",
    "'where n = any($1)'",
    "'insert or ignore into tags'",
  ])('the word of one database is refused in a query: %s', (text) => {
    const file = `// Matches any(thing) :: by rowid.\nexport const text = ${text};\n`;
    expect(problems('server/adapters/store/queries/tags/x.ts', file)).toHaveLength(1);
    expect(problems('server/adapters/store/sqlite/x.ts', file)).toEqual([]);
  });

  test('the words that all databases share are allowed in a query', () => {
    const file =
      "// Example.\nexport const text = 'select n from tags where n in (select value from number_list($1))';\n";
    expect(problems('server/adapters/store/queries/tags/x.ts', file)).toEqual([]);
  });

  test('a file says what it is, holds no barrel, and mints no Scope', () => {
    expect(problems('server/lib/x.ts', `export * from './y.ts';`)).toHaveLength(2);
    expect(problems('server/lib/x.ts', `// Example.\nScope.mint(null, null);`)).toEqual([
      'server/lib/x.ts:2',
    ]);
    expect(problems('server/lib/x.ts', `// Example.\nconst { mint } = Scope;`)).not.toEqual([]);
    expect(problems('server/domain/access/x.ts', `// Example.\nScope.mint(null, null);`)).toEqual([]);
  });

  test('a test that waits for a time or bounds one from above is found', () => {
    const found = (path: string, text: string) =>
      waitingRules.flatMap((rule) => rule.broken(parse(path, text)));
    const sleeps = `import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(50);`;
    const timer = 'await new Promise((resolve) => setTimeout(resolve, 50));';
    const bounded = 'expect(performance.now() - began).toBeLessThan(2_000);';
    expect(found('test/rest/x.test.ts', sleeps)).not.toEqual([]);
    expect(found('test/rest/support/x.ts', timer)).toEqual(['test/rest/support/x.ts:1']);
    expect(found('test/rest/x.test.ts', bounded)).toEqual(['test/rest/x.test.ts:1']);
    expect(found('test/rest/x.test.ts', 'expect(at).toBeLessThanOrEqual(Date.now());')).toEqual([]);
    for (const allowed of ['test/support/until.ts', 'test/bench/x.ts', 'server/lib/x.ts'])
      expect(found(allowed, `${sleeps}\n${timer}\n${bounded}`)).toEqual([]);
  });

  test('a note to finish something later is found', () => {
    expect(problems('server/lib/x.ts', `// Example.\n// ${'TO'}${'DO'}: more`)).toHaveLength(1);
  });
});
