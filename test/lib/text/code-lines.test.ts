// Tests of code, logs and configuration that stand in a text without a fence.
import { expect, test } from 'vitest';
import { withoutCodeLines } from '../../../server/lib/text/code-lines.ts';

const left = (...lines: readonly string[]): string =>
  withoutCodeLines(lines.join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');

const QUESTION = 'Any idea what goes wrong here?';

test.each([
  ['Python', ['def mean(values):', '    total = sum(values)', '    return total / len(values)']],
  ['JavaScript', ['const cats = 3;', 'export const greet = (name) => {', "  return 'Hi ' + name;", '};']],
  ['Java', ['public class Home {', '  private int rooms = 4;', '  // Rosa owns the house', '}']],
  ['Rust', ['fn main() {', '    let rooms = 4;', '    println!("{} rooms", rooms);', '}']],
  ['Go', ['func total(n int) int {', '\treturn n + 1', '}']],
  ['SQL', ['SELECT owner, town FROM houses', "WHERE town = 'Porto'", 'ORDER BY owner;']],
  ['HTML', ['<ul class="pets">', '  <li>Rosa has a parrot</li>', '</ul>']],
  ['JSON', ['{', '  "owner": "Rosa",', '  "rooms": 4', '}']],
  ['YAML', ['database:', '  host: localhost', '  port: 5432']],
  ['a file of settings', ['API_URL=https://example.org', 'TIMEOUT=30']],
  ['a log', ['2026-05-02 09:12:44,120 INFO Rosa signed in', '2026-05-02 09:12:45,003 ERROR disk is full']],
  [
    'a stack trace',
    ['TypeError: rooms is undefined', '    at total (/srv/app.js:4:11)', '    at main (/srv/app.js:9:3)'],
  ],
  ['a terminal', ['$ ls -la', 'total 8', 'notes.txt']],
  ['a change', ['diff --git a/home.py b/home.py', '@@ -1,2 +1,2 @@', '-rooms = 3', '+rooms = 4;']],
])('%s is left out, and the words around it stay', (_, lines) => {
  expect(left('I rent a flat in Porto.', '', ...lines, '', QUESTION)).toBe(
    `I rent a flat in Porto.\n${QUESTION}`,
  );
});

test.each([
  [['Budget = 900 euros', 'return ticket is 40 euros', 'import duties: 4 %']],
  [['Lunch:', '  starter: soup of the day', '  main: fish and chips']],
  [['For Rosa:', '- a bike (red);', '- a bell,', 'At home (Porto) she has two.']],
  [['2026-05-02 09:12 Rain all day', '2026-05-03 18:40 Rosa called']],
  [['INFO: the meeting is at three', 'While it rains:', '  we stay in']],
  [['Hi all,', '', '  the rent is 840 euros', '  due on the 1st', '', 'Rosa (landlady)']],
  [['<memories>', 'The user lives in Porto', '</memories>', 'Hello']],
])('a note that looks a little like code stays whole: %j', (lines) => {
  expect(withoutCodeLines(lines.join('\n'))).toBe(lines.join('\n'));
});
