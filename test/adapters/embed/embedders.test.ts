// Tests of choosing an embedder by the settings or by stored vectors.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as generated from '../../../server/adapters/embed/embedders.generated.ts';
import {
  isRequestedSpace,
  openRequestedEmbedder,
  openStoredEmbedder,
  requestedSpace,
} from '../../../server/adapters/embed/open.ts';
import { loadConfig } from '../../../server/config/config.ts';

const { embedders } = generated;
const BUILTIN = { embedder: 'builtin', model: 'words-and-meaning-1', dimensions: 384 };
const none = loadConfig({});
const service = { MEMOIR_EMBEDDING_MODEL: 'meaning-1', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
const remote = loadConfig(service);
const shortened = loadConfig({ ...service, MEMOIR_EMBEDDING_DIMENSIONS: '64' });

describe('the list of embedders', () => {
  test('names each once, and has one fallback', () => {
    expect(new Set(embedders.map(({ name }) => name)).size).toBe(embedders.length);
    expect(embedders.filter((kind) => kind.isFallback)).toHaveLength(1);
  });

  test('holds only embedders whose tests run the contract', () => {
    const list = readFileSync(
      join(import.meta.dirname, '../../../server/adapters/embed/embedders.generated.ts'),
      'utf8',
    );
    const names = [...list.matchAll(/^import \{ (\w+) \}/gm)].map(([, name = '']) => name);
    const tests = globSync(join(import.meta.dirname, '*.test.ts')).map((file) => readFileSync(file, 'utf8'));
    expect(names).toHaveLength(embedders.length);
    expect(names.filter((name) => !tests.some((text) => text.includes(`embedderContract(${name},`)))).toEqual(
      [],
    );
  });
});

describe('the embedder that the settings choose', () => {
  test('is the fallback when they choose none', async () => {
    expect(requestedSpace(none)).toEqual(BUILTIN);
    expect(isRequestedSpace(none, BUILTIN)).toBe(true);
    expect(isRequestedSpace(none, { ...BUILTIN, model: 'older' })).toBe(false);
    expect((await openRequestedEmbedder(none)).space).toEqual(BUILTIN);
  });

  test('belongs to their model, with their dimensions when they are set', async () => {
    const stored = { embedder: 'openai', model: 'meaning-1', dimensions: 256 };
    expect(requestedSpace(remote)).toEqual({ ...stored, dimensions: null });
    expect(isRequestedSpace(remote, stored)).toBe(true);
    expect(isRequestedSpace(shortened, stored)).toBe(false);
    expect(isRequestedSpace(remote, BUILTIN)).toBe(false);
    expect((await openRequestedEmbedder(shortened)).space.dimensions).toBe(64);
  });
});

describe('the embedder of stored vectors', () => {
  const stored = { embedder: 'openai', model: 'older', dimensions: 8 };

  test('is opened for their model and dimensions, whatever the settings choose', () => {
    expect(openStoredEmbedder(remote, stored)?.space).toEqual(stored);
    expect(openStoredEmbedder(remote, BUILTIN)?.space).toEqual(BUILTIN);
  });

  test('is missing when its service or its model is unknown', () => {
    expect(openStoredEmbedder(none, stored)).toBeNull();
    expect(openStoredEmbedder(none, { ...BUILTIN, model: 'older' })).toBeNull();
    expect(openStoredEmbedder(remote, { ...stored, embedder: 'unknown' })).toBeNull();
  });
});
