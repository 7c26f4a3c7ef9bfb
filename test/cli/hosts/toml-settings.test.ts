import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { tomlSettings } from '../../../server/cli/hosts/toml-settings.ts';

const place = { file: 'config.toml', path: ['mcp_servers'], name: 'memory' };
const ENTRY = { command: 'memoir', args: ['mcp'], env: { 'KEY one': 'a "b" \u007f' } };

const withEntry = (text: string): string => tomlSettings(text, place).withEntry(ENTRY);
const withoutEntry = (text: string): string => tomlSettings(text, place).withoutEntry();

/** Each holds the entry, and once it is taken out the second text. */
const spellings: [string, string, string][] = [
  ['a table', '[mcp_servers.memory]\ncommand = "x"\n', ''],
  ['a quoted table', '[mcp_servers."memory"]\ncommand = "x"\n', ''],
  ['a table between single quotes and blanks', "[ 'mcp_servers' . 'memory' ] # ours\ncommand = 'x'\n", ''],
  ['a table with an escape', '["mcp_servers"."memor\\u0079"]\ncommand = "x"\n', ''],
  [
    'a table with one below it',
    'a = 1\n\n[mcp_servers.memory]\ncommand = "x"\n\n[mcp_servers.memory.env]\nA = "1"\n\n# other\n[b]\n',
    'a = 1\n\n# other\n[b]\n',
  ],
  [
    'a table whose values look like tables',
    '[mcp_servers.memory]\nargs = [\n  "[other]", # ]\n  """\n[more]\n""""",\n]\n[b]\nc = 1\n',
    '[b]\nc = 1\n',
  ],
  ['a table in two places', '[mcp_servers.memory.env]\nA = 1\n[b]\n[mcp_servers.memory]\nc = 1\n', '[b]\n'],
  [
    'an inline table',
    '[mcp_servers]\n# ours\nmemory = { command = "x" }\nb = 1 # theirs\n',
    '[mcp_servers]\n# ours\nb = 1 # theirs\n',
  ],
  [
    'dotted keys',
    '[mcp_servers]\nmemory.command = "x"\nmemory.args = []\nb.c = 1\n',
    '[mcp_servers]\nb.c = 1\n',
  ],
  [
    'dotted keys at the top',
    'mcp_servers.memory.command = "x"\nmcp_servers.b.c = 1\n',
    'mcp_servers.b.c = 1\n',
  ],
  [
    'part of an inline table',
    'mcp_servers = { b = { c = "}" }, memory = { d = 1 } } # all\n',
    'mcp_servers = { b = { c = "}" } } # all\n',
  ],
  [
    'the first part of an inline table',
    'mcp_servers = { memory = { d = 1 }, b = 2 }\n',
    'mcp_servers = { b = 2 }\n',
  ],
  [
    'dotted keys of an inline table',
    'mcp_servers = { memory.a = 1, b = 2, memory.c = 3 }\n',
    'mcp_servers = { b = 2 }\n',
  ],
];

describe('an entry is found and taken out, written as', () => {
  test.each(spellings)('%s', (_how, before, after) => {
    expect(tomlSettings(before, place).entry).toBeDefined();
    expect(withoutEntry(before)).toBe(after);
  });
});

describe('an entry is replaced, and there is one of it, written as', () => {
  test.each(spellings)('%s', (_how, before) => {
    const settings = JSON.parse(JSON.stringify(parse(before)));
    const after = withEntry(before);
    expect(JSON.parse(JSON.stringify(parse(after)))).toEqual({
      ...settings,
      mcp_servers: { ...settings.mcp_servers, memory: ENTRY },
    });
    for (const [comment] of before.matchAll(/# (?:theirs|other|all)/g)) expect(after).toContain(comment);
  });
});

describe('an entry is added, and every other character stays:', () => {
  test.each([
    '',
    'a = 1\n',
    '# a comment alone\n',
    'notes = """\n[mcp_servers.memory]\ncommand = "mine"\n"""\n',
    "notes = '''\n[mcp_servers.memory]\n'''\n[b]\n",
    'notes = [ "# not a comment", """\\""" ]""", ] # a comment\n',
    '[mcp_servers.memory2]\na = 2026-01-01T00:00:00Z\nb = 9007199254740993\nc = nan\n',
    '[[other]]\na = 1\n\n[[other]]\na = 2\n',
    '[mcp_servers]\nb.c = 1\n',
    'a = 1\r\n\r\n[b]\r\nc = 2\r\n',
    '\uFEFFa = 1\n',
  ])('%j', (before) => {
    const after = withEntry(before);
    expect(after.startsWith(before)).toBe(true);
    expect(withoutEntry(after)).toBe(before);
  });

  test('in the inline table that holds the others', () => {
    expect(withEntry('mcp_servers = { b = 1 } # all\n')).toBe(
      'mcp_servers = { b = 1, memory = { command = "memoir", args = [ "mcp" ], env = { "KEY one" = "a \\"b\\" \\u007f" } } } # all\n',
    );
    expect(parse(withEntry('mcp_servers = {}\n'))).toHaveProperty('mcp_servers.memory.command', 'memoir');
  });
});

describe('a file that cannot be edited is refused', () => {
  test.each([
    [
      'a = 1\nb = = 2\n',
      /^config\.toml is not valid TOML: line 2, column \d+: .+\. The file was not changed\./,
    ],
    ['a = 1\na = 2\n', /not valid TOML: line 2/],
    ['[[mcp_servers]]\na = 1\n', /^"mcp_servers" in config\.toml is not an object/],
    ['mcp_servers = "none"\n', /^"mcp_servers" in config\.toml is not an object/],
  ])('%j', (before, sentence) => {
    expect(() => withEntry(before)).toThrow(sentence);
  });
});
