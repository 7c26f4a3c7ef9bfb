// Tests of reading static models: tables of vectors in safetensors files, as a test writes them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadStaticVectors } from '../../../server/adapters/embed/local/static-vectors.ts';
import { safetensorsFile, type WrittenTensor } from '../../support/models/safetensors-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-static-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DIMENSIONS = 2;
let files = 0;

const load = (tensors: Readonly<Record<string, WrittenTensor>>) => {
  files += 1;
  const path = join(folder, `${files}.safetensors`);
  writeFileSync(path, safetensorsFile(tensors));
  return loadStaticVectors(path, DIMENSIONS);
};

const vectors = (dtype: WrittenTensor['dtype']): WrittenTensor => ({
  dtype,
  shape: [3, DIMENSIONS],
  values: [1, 0, 0, 2, -3, 4],
});

describe('a static model', () => {
  it.each(['F64', 'F32', 'F16', 'I8'] as const)('adds the vectors of tokens, stored as %s', async (dtype) => {
    const encode = load({ embeddings: vectors(dtype) });
    expect(await encode([[0, 1], [2], []])).toEqual([
      Float32Array.of(1, 2),
      Float32Array.of(-3, 4),
      Float32Array.of(0, 0),
    ]);
  });

  it('reads fractions and the smallest numbers of 16 bits', async () => {
    const values = [0.5, -1.25, 2 ** -14, 2 ** -24];
    const encode = load({ embeddings: { dtype: 'F16', shape: [2, DIMENSIONS], values } });
    expect(await encode([[0], [1]])).toEqual([
      Float32Array.of(0.5, -1.25),
      Float32Array.of(2 ** -14, 2 ** -24),
    ]);
  });

  it('lets several tokens share a vector, each with a weight of its own', async () => {
    const encode = load({
      embeddings: vectors('I8'),
      mapping: { dtype: 'I64', shape: [4], values: [2, 0, 0, 1] },
      weights: { dtype: 'F32', shape: [4], values: [1, 0.5, 2, 1] },
    });
    expect(await encode([[1], [2], [0, 3]])).toEqual([
      Float32Array.of(0.5, 0),
      Float32Array.of(2, 0),
      Float32Array.of(-3, 6),
    ]);
  });

  it('is refused when its file has other dimensions than its row, or numbers of an unknown kind', () => {
    expect(() => load({ embeddings: { dtype: 'F32', shape: [2, 3], values: [1, 2, 3, 4, 5, 6] } })).toThrow(
      'no vectors of 2 dimensions',
    );
    expect(() => load({ embeddings: { ...vectors('I8'), dtype: 'BOOL' } })).toThrow(
      'no vectors of 2 dimensions',
    );
  });

  it('is refused when its file is cut or of another kind', () => {
    const whole = safetensorsFile({ embeddings: vectors('F32') });
    for (const [at, file] of [
      whole.subarray(0, -4),
      whole.subarray(0, 20),
      Buffer.from('PK\u0003\u0004'),
    ].entries()) {
      const path = join(folder, `cut-${at}.safetensors`);
      writeFileSync(path, file);
      expect(() => loadStaticVectors(path, DIMENSIONS)).toThrow('no safetensors file, or it is cut');
    }
  });
});
