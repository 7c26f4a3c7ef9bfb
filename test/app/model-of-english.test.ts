// The model of English takes 0.3 s to load and 65 MB: the threads that answer and write never load it, the ingest thread does.
import { expect, test } from 'vitest';
import { edgesOf } from '../../scripts/source/edges.ts';
import { sourceFiles } from '../../scripts/source/parse.ts';

const MODELS = ['server/lib/text/language/parts-of-speech.ts', 'server/lib/text/language/language-of.ts'];

const imports = new Map(
  sourceFiles('server', 'tools').map((file) => [
    file.path,
    edgesOf(file).flatMap(({ kind, to }) => (kind === 'runtime' ? to : [])),
  ]),
);

const reachedFrom = (start: string): Set<string> => {
  const reached = new Set([start]);
  for (const path of reached) for (const to of imports.get(path) ?? []) reached.add(to);
  return reached;
};

const modelsOf = (start: string): string[] => MODELS.filter((path) => reachedFrom(start).has(path));

test('no module of the thread that answers requests reaches the models of language', () => {
  expect(reachedFrom('server/app/open.ts')).toContain('server/domain/memories/memories.ts');
  expect(modelsOf('server/app/open.ts')).toEqual([]);
});

test('no module of the thread that writes reaches the models of language', () => {
  expect(reachedFrom('server/app/writer-thread/writer.ts')).toContain(
    'server/domain/memories/rules/relating/relate.ts',
  );
  expect(modelsOf('server/app/writer-thread/writer.ts')).toEqual([]);
});

test('the ingest thread reaches them', () => {
  expect(modelsOf('server/app/ingest-thread/ingest.ts')).toEqual(MODELS);
});
