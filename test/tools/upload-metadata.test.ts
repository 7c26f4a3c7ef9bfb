import { expect, test } from 'vitest';
import { asReceived } from '../../tools/documents/schemas/file.ts';
import { uploadInput } from '../../tools/documents/schemas/upload.ts';

const problemsWith = (metadata: unknown) => {
  const file = asReceived({ key: 'k', bytes: 1, sha256: 's', name: 'a', mimeType: null });
  const parsed = uploadInput.safeParse({ file, metadata });
  return parsed.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];
};

test('metadata of an upload that would be lost is refused, as JSON and as parts of a form', () => {
  const parts = Object.assign(Object.create(null), { a: 'x' });
  expect(problemsWith(parts)).toEqual([]);
  expect(problemsWith('{"a":9007199254740991}')).toEqual([]);
  Object.defineProperty(parts, '__proto__', { value: 'x', enumerable: true });
  const forbidden = ['metadata.__proto__', expect.stringContaining('not allowed')];
  expect(problemsWith(parts)).toEqual([forbidden]);
  expect(problemsWith('{"a":"x","__proto__":"y"}')).toEqual([forbidden]);
  expect(problemsWith('{"a":9007199254740993}')).toEqual([
    ['metadata.a', expect.stringContaining('9007199254740993 would be rounded')],
  ]);
});
