import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURES, type FailureCode, failure } from '../../../server/adapters/extract/failures.ts';

const source = join(import.meta.dirname, '../../../server/adapters/extract');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const codes = Object.keys(FAILURES) as FailureCode[];

describe('the failures of extraction', () => {
  it.each(codes)('%s says what happened and what to do', (code) => {
    const { message } = failure(code);
    expect(message).toMatch(/^[A-Z][^.]+\. .*[A-Z].*\.$/);
    expect(message.length).toBeLessThan(400);
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
  });

  it('are all in the list, and no file makes an error of its own', () => {
    const makers = files.filter((name) =>
      readFileSync(join(source, name), 'utf8').includes('new IngestError('),
    );
    expect(makers.sort()).toEqual(['failures.ts', 'process/slot.ts']);
  });

  it('are all used somewhere', () => {
    const text = files
      .filter((name) => name !== 'failures.ts')
      .map((name) => readFileSync(join(source, name), 'utf8'))
      .join('\n');
    const unmet = codes.filter((code) => !text.includes(`'${code}'`));
    expect(unmet).toEqual([]);
  });
});
