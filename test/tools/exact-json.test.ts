import { describe, expect, test } from 'vitest';
import { lossOfJson } from '../../tools/documents/schemas/exact-json.ts';

describe('a text that JSON.parse would change', () => {
  test.each([
    ['{"a":9007199254740993}', ['a']],
    ['{"a":[1,{"b": -9007199254740993}],"c":2}', ['a', 1, 'b']],
    ['{"a":12345678901234567890,"b":9007199254740993}', ['a']],
    ['{"a":{"":{"__proto__":"x"}},"b":{}}', ['a', '', '__proto__']],
    ['{"metadata":{"constructor":"y","__proto__":{"b":1}}}', ['metadata', '__proto__']],
    ['{"__pr\\u006fto__":1}', ['__proto__']],
    ['{"\\u005F_proto__":1}', ['__proto__']],
    ['{"a\\"]":[[],[{}, "\\\\",true],9007199254740993]}', ['a"]', 2]],
    ['{"a":{"b":[1,2]},"c":{"d":null,"e":-9007199254740993}}', ['c', 'e']],
    [`{"a":1${'0'.repeat(100_000)}}`, ['a']],
  ])('%s names the place', (text, path) => {
    expect(lossOfJson(text)?.path).toEqual(path);
  });

  test('is described by what to do', () => {
    expect(lossOfJson('{"a":9007199254740993}')?.message).toBe(
      'must be an integer between -9007199254740991 and 9007199254740991; 9007199254740993 would be rounded, so send it as text',
    );
  });
});

test('a deep text needs no deep stack', () => {
  const deep = `${'[{"a":'.repeat(50_000)}9007199254740993${'}]'.repeat(50_000)}`;
  expect(lossOfJson(deep)?.path).toHaveLength(100_000);
});

test('a long number is seen wherever it begins', () => {
  for (let before = 0; before < 40; before++)
    for (const digits of ['1234567890123456789', '12345678901234567', '-9007199254740993']) {
      const text = `{"${'a'.repeat(before)}":1,"b":"1234567890123456789","c":[${digits}]}`;
      expect(lossOfJson(text)?.path, text).toEqual(['c', 0]);
    }
});

test.each([
  '{"a":9007199254740991,"b":-9007199254740991}',
  '{"a":9007199254740992,"b":100000000000000000000}',
  '{"a":1e300,"b":0.12345678901234567890,"c":12345678901234567890.5}',
  '{"text":", 9007199254740993 and __proto__","b":"9007199254740993"}',
  '{"a":"\\u005f"}',
])('%s stays as it is', (text) => {
  expect(lossOfJson(text)).toBeNull();
});
