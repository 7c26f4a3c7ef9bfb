import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderDeclaredList } from '../../scripts/declared-list.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'memoir-declared-'));
  mkdirSync(join(root, 'things'));
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (file: string, text: string): void => writeFileSync(join(root, 'things', file), text);
const options = () => ({
  folder: join(root, 'things'),
  path: join(root, 'things.generated.ts'),
  list: 'things',
  declaredBy: 'thing',
});

test('the list holds the declarations of every file, in the order of the files', () => {
  put('b.ts', 'export const second = thing({});\n');
  put('a.ts', 'export const first: Thing = thing<Typed>({});\nexport const other = 1;\n');
  put('old.generated.ts', 'export const third = thing({});\n');
  const text = renderDeclaredList(options());
  expect(text).toContain("import { first } from './things/a.ts';\nimport { second } from './things/b.ts';\n");
  expect(text.slice(text.indexOf('export'))).toBe(
    'export const things = [\n  first,\n  second,\n] as const;\n',
  );
});

test('a list can lie in the folder itself, among files that declare nothing', () => {
  put('a.ts', 'export const first = thing({});\n');
  put('helper.ts', 'export const help = 1;\n');
  const path = join(root, 'things', 'things.generated.ts');
  expect(renderDeclaredList({ ...options(), path, mixed: true })).toContain("from './a.ts'");
});

test('a file that declares nothing is refused with the line to write', () => {
  put('a.ts', 'export const first = 1;\n');
  expect(() => renderDeclaredList(options())).toThrow(
    'things/a.ts declares nothing. Write "export const x = thing({ … })" into it',
  );
});
