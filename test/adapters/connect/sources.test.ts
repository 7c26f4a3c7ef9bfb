// Tests of the list of sources.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceKinds } from '../../../server/adapters/connect/sources.generated.ts';

const connect = join(import.meta.dirname, '../../../server/adapters/connect');

describe('the list of sources', () => {
  test('names each provider once', () => {
    expect(new Set(sourceKinds.map(({ provider }) => provider)).size).toBe(sourceKinds.length);
  });

  test('holds only sources whose tests run the contract', () => {
    const list = readFileSync(join(connect, 'sources.generated.ts'), 'utf8');
    const names = [...list.matchAll(/^import \{ (\w+) \}/gm)].map(([, name = '']) => name);
    const tests = globSync(join(import.meta.dirname, '**/*.test.ts')).map((file) =>
      readFileSync(file, 'utf8'),
    );
    expect(names).toHaveLength(sourceKinds.length);
    expect(names.filter((name) => !tests.some((text) => text.includes(`sourceContract(${name},`)))).toEqual(
      [],
    );
  });

  test('seals every secret that a source takes as an option', () => {
    for (const { options, secrets } of sourceKinds)
      for (const secret of secrets) expect(options).toContain(secret);
  });
});
