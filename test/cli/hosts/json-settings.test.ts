import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { jsonSettings } from '../../../server/cli/hosts/json-settings.ts';

const place = { file: 'settings.json', path: ['servers'], name: 'memory' };
const ENTRY = { command: 'memoir', args: ['mcp'] };

const withEntry = (text: string): string => jsonSettings(text, place).withEntry(ENTRY);
const withoutEntry = (text: string): string => jsonSettings(text, place).withoutEntry();

describe('an entry is put into the text', () => {
  const texts = [
    '',
    '  \n',
    '// only a comment\n',
    '{}',
    '{ // mine\n}',
    '{"theme":"dark"}',
    '{"theme":"dark","servers":{}}',
    '{"theme":"dark","servers":{"a":{}},"b":1}',
    '{\n\t"servers": {\n\t\t"a": {} // first\n\t}\n}\n',
    '{\n  "servers": {\n    "a": {}, // first\n    // nothing else\n  },\n}\n',
    '{\r\n    "servers": {\r\n        "a": {}\r\n    }\r\n}\r\n',
    '{\n  "servers": { "memory": { "command": "old", "args": ["mcp"] }, "a": 1 }\n}',
    '{\n  "servers": {\n    "memory": "old" // ours\n  }\n}',
  ];

  test.each(texts)('and every other setting of it stays: %j', (before) => {
    const after = withEntry(before);
    const settings = before.includes('{') ? parse(before) : {};
    const others = settings.servers ?? {};
    expect(parse(after)).toEqual({ ...settings, servers: { ...others, memory: ENTRY } });
    for (const [comment] of before.matchAll(/\/\/[^\n\r]*/g)) expect(after).toContain(comment);
    if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('below the comment that belongs to the entry before it, indented like it', () => {
    expect(withEntry('{\n\t"servers": {\n\t\t"a": {} // first\n\t}\n}\n')).toBe(
      '{\n\t"servers": {\n\t\t"a": {}, // first\n\t\t"memory": {\n\t\t\t"command": "memoir",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
  });

  test('behind a byte order mark', () => {
    expect(withEntry('\uFEFF{}').startsWith('\uFEFF{')).toBe(true);
  });
});

describe('an entry is taken out of the text', () => {
  test.each([
    [
      '{\n  "servers": {\n    "a": {}, // first\n    "memory": {}\n  }\n}\n',
      '{\n  "servers": {\n    "a": {} // first\n  }\n}\n',
    ],
    [
      '{\n  "servers": {\n    "memory": {},\n    // second\n    "a": {}\n  }\n}\n',
      '{\n  "servers": {\n    // second\n    "a": {}\n  }\n}\n',
    ],
    [
      '{\n  "servers": {\n    "a": {},\n    "memory": {},\n  },\n}\n',
      '{\n  "servers": {\n    "a": {},\n  },\n}\n',
    ],
    ['{\n  "servers": {\n    "memory": {}\n  }\n}\n', '{\n  "servers": {}\n}\n'],
    ['{"servers":{"a":{},"memory":{},"b":{}}}', '{"servers":{"a":{},"b":{}}}'],
    ['{"servers":{"a":{},"memory":{}}}', '{"servers":{"a":{}}}'],
    [
      '{\r\n  "servers": {\r\n    "a": {},\r\n    "memory": {}\r\n  }\r\n}',
      '{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}',
    ],
    ['{ "servers": { "memory": {} /* ours */, "a": {} } }', '{ "servers": { "a": {} } }'],
    ['{"other": 1}', '{"other": 1}'],
  ])('%j becomes %j', (before, after) => {
    expect(withoutEntry(before)).toBe(after);
  });

  test('and after an install and an uninstall the text is what it was', () => {
    const before =
      '{\n  // mine\n  "servers": {\n    "a": {}, // first\n    "b": {} // second\n  } // end\n}\n';
    expect(withoutEntry(withEntry(before))).toBe(before);
  });
});

describe('a file that cannot be edited is refused', () => {
  test.each([
    [
      '{\n  "a": 1\n  "b": 2\n}',
      /^settings\.json is not valid JSON: line 3, column 3: comma expected\. The file was not changed\./,
    ],
    ['{ "a": ', /line 1, column \d+: value expected/],
    ['[1]', /^settings\.json is not an object/],
    ['{ "servers": [] }', /^"servers" in settings\.json is not an object/],
    [
      '{ "servers": {}, "servers": { "a": 1 } }',
      /cannot be changed in settings\.json.*Edit "servers\.memory" in it yourself/,
    ],
  ])('%j', (before, sentence) => {
    expect(() => withEntry(before)).toThrow(sentence);
  });
});
