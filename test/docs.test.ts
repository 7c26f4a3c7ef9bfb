// The documentation names everything there is: each setting, each operation, each subcommand; and its links lead somewhere.
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, root, sourceFiles } from '../scripts/source/parse.ts';
import {
  anchorsOf,
  fragmentsOf,
  linksOf,
  readSettings,
  routesOf,
  subcommandsOf,
  textOf,
} from './docs/surface.ts';

const expectNone = (headline: string, missing: readonly string[]): void =>
  expect(missing.length, `${headline}\n  ${missing.join('\n  ')}\n`).toBe(0);

describe('settings', () => {
  const settings = readSettings();

  test('server/config/settings/ holds settings', () => expect(settings.length).toBeGreaterThan(0));

  test('every setting has a sentence', () =>
    expectNone(
      'These settings have no help text:',
      settings.filter(({ sentence }) => !sentence).map(({ name }) => name),
    ));

  test('every setting stands in docs/settings.md', () => {
    const page = textOf('docs/settings.md');
    expectNone(
      'docs/settings.md does not name:',
      settings.filter(({ name }) => !page.includes(`\`${name}\``)).map(({ name }) => name),
    );
  });
});

describe('operations', () => {
  const routes = sourceFiles('tools').flatMap(routesOf);

  test('tools/ holds operations', () => expect(routes.length).toBeGreaterThan(0));

  test('every operation stands in docs/rest.md', () => {
    const page = textOf('docs/rest.md');
    expectNone(
      'docs/rest.md does not name:',
      routes.filter((route) => !page.includes(`\`${route}\``)),
    );
  });
});

describe('the command line', () => {
  const names = sourceFiles('server')
    .filter(({ path }) => path.startsWith('server/cli/') || path === 'server/main.ts')
    .flatMap(subcommandsOf);

  test('server/cli/ holds subcommands', () => expect(names.length).toBeGreaterThan(0));

  test('every subcommand stands in docs/cli.md', () => {
    const page = textOf('docs/cli.md');
    const named = (name: string) => new RegExp(`\\bmemoir [^\\n\`]*\\b${name}\\b`).test(page);
    expectNone(
      'docs/cli.md does not name:',
      names.filter((name) => !named(name)).map((name) => `memoir ${name}`),
    );
  });
});

const pages = globSync(['*.md', 'docs/**/*.md', 'test/**/*.md'], {
  cwd: root,
  exclude: (path) => path.includes('fixtures'),
});

test('every relative link in the documentation leads to a file', () => {
  const dead = pages.flatMap((page) =>
    linksOf(textOf(page))
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}  ${target}`),
  );
  expectNone('These links lead nowhere:', dead);
});

test('every link to a heading leads to one', () => {
  const dead = pages.flatMap((page) =>
    fragmentsOf(textOf(page))
      .map(({ target, fragment }) => ({ at: target ? join(dirname(page), target) : page, fragment }))
      .filter(({ at, fragment }) => at.endsWith('.md') && !anchorsOf(textOf(at)).includes(fragment))
      .map(({ at, fragment }) => `${page}  ${at}#${fragment}`),
  );
  expectNone('These links lead to no heading:', dead);
});

/** A folder with a list of its own stands for its pages. */
test.each([
  { list: 'docs/README.md', pages: ['docs/*.md', 'docs/operations/*.md', 'docs/*/README.md'] },
  { list: 'docs/decisions/README.md', pages: ['docs/decisions/*.md'] },
  { list: 'docs/measurements/README.md', pages: ['docs/measurements/*.md'] },
  { list: 'docs/connectors/README.md', pages: ['docs/connectors/*.md'] },
])('$list names every page', ({ list, pages }) => {
  const named = linksOf(textOf(list)).map((target) => join(dirname(list), target));
  expectNone(
    `${list} does not name:`,
    globSync(pages, { cwd: root }).filter((page) => page !== list && !named.includes(page)),
  );
});

describe('what is looked for', () => {
  test('an operation is an object with a method and a path', () => {
    const text = `operation({ rest: { method: 'PUT', path: '/v3/auth/keys/{id}/toggle', status: 200 } });`;
    expect(routesOf(parse('tools/keys/toggle.ts', text))).toEqual(['PUT /v3/auth/keys/{id}/toggle']);
  });

  test('a subcommand is named without its arguments', () => {
    const text = `program.command('add <content>').action(add); keys.command('create');`;
    expect(subcommandsOf(parse('server/cli/program.ts', text))).toEqual(['add', 'create']);
  });

  test('a link to elsewhere, a fragment and code are no relative links', () => {
    const text = '[a](x.md#part) [b](https://example.org) [c](#here) `[d](y.md)`';
    expect(linksOf(text)).toEqual(['x.md']);
  });

  test('a heading is linked by its words in small letters', () => {
    const text =
      '# Why `npm test` fails\n## (a) Adds, one at a time\n[a](x.md#why) [b](#a-adds-one-at-a-time)';
    expect(anchorsOf(text)).toEqual(['why-npm-test-fails', 'a-adds-one-at-a-time']);
    expect(fragmentsOf(text)).toEqual([
      { target: 'x.md', fragment: 'why' },
      { target: '', fragment: 'a-adds-one-at-a-time' },
    ]);
  });
});
