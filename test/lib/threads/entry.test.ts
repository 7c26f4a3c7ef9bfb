// Tests of finding the file that a process or thread starts with.
import { describe, expect, it } from 'vitest';
import { entry } from '../../../server/lib/threads/entry.ts';

describe('the entry file of a process or thread', () => {
  it('is the TypeScript sibling when the caller runs from source', () => {
    expect(entry('chroma-child', 'file:///app/server/vectors/process.ts').href).toBe(
      'file:///app/server/vectors/chroma-child.ts',
    );
  });

  it('is the JavaScript sibling when the caller was built', () => {
    expect(entry('./chroma-child', 'file:///app/dist/vectors/process.js').href).toBe(
      'file:///app/dist/vectors/chroma-child.js',
    );
  });

  it('can be in another folder', () => {
    expect(entry('../child/run', 'file:///app/server/vectors/process.ts').href).toBe(
      'file:///app/server/child/run.ts',
    );
  });
});
