// Tests of choosing the native Chroma server.
import { describe, expect, it } from 'vitest';
import {
  bindingNames,
  loadChromaBinding,
} from '../../../../server/adapters/vectors/chroma/server/native-binding.ts';
import { olderBindingFile } from '../../../../server/adapters/vectors/chroma/server/older-binding.ts';

const GLIBC =
  "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /app/node_modules/x/x.node)\nmore";

const notInstalled = (name: string): Error =>
  Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });

describe('the choice of the native Chroma server', () => {
  it('finds one that loads on this system', () => {
    const choice = loadChromaBinding();
    expect(bindingNames(process.platform, process.arch)).toContain(choice.name);
    expect(choice.binding.cli).toBeTypeOf('function');
  });

  it('prefers the newest', () => {
    const choice = loadChromaBinding({ platform: 'linux', arch: 'x64', load: () => ({ cli() {} }) });
    expect(choice.name).toBe('chromadb-js-bindings-linux-x64-gnu');
  });

  it('falls back to the build for an older glibc', () => {
    const load = (name: string) => {
      if (name === 'chromadb-js-bindings-linux-x64-gnu') throw new Error(GLIBC);
      return { cli() {} };
    };
    expect(loadChromaBinding({ platform: 'linux', arch: 'x64', load }).name).toBe(olderBindingFile());
  });

  it('explains why none loads, and names CHROMA_URL as the alternative', () => {
    const load = (name: string) => {
      throw name.startsWith('chromadb') ? new Error(GLIBC) : notInstalled(name);
    };
    expect(() => loadChromaBinding({ platform: 'linux', arch: 'x64', load })).toThrow(
      'No Chroma server can be started here (linux-x64): chromadb-js-bindings-linux-x64-gnu needs GLIBC_2.38, ' +
        `which this system does not have; ${olderBindingFile()} is not installed. Set CHROMA_URL`,
    );
  });

  it('finds a single package on another platform, and fails on a platform without a Chroma build', () => {
    expect(bindingNames('darwin', 'arm64')).toEqual(['chromadb-js-bindings-darwin-arm64']);
    expect(bindingNames('win32', 'x64')).toEqual(['chromadb-js-bindings-win32-x64-msvc']);
    expect(bindingNames('linux', 'arm64')).toEqual(['chromadb-js-bindings-linux-arm64-gnu']);
    expect(() => loadChromaBinding({ platform: 'freebsd', arch: 'x64' })).toThrow(
      /freebsd-x64.*none is made for this platform.*CHROMA_URL/,
    );
  });
});
