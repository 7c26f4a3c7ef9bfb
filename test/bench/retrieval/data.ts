// The folder of the data of the retrieval bench. They are for testing only and never part of the product.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BESIDE = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'bench', 'data');

/** Null if there are none on this machine. */
export const dataFolder = (): string | null => {
  const folder = process.env.MEMOIR_BENCH_DATA || BESIDE;
  return existsSync(folder) ? folder : null;
};

export const NO_DATA =
  'There are no retrieval data here: set MEMOIR_BENCH_DATA to the folder that holds locomo/, beam/, scifact/ and the others.';

const textOf = (path: string): string => {
  if (!existsSync(path))
    throw new Error(`${path} is not there. Set MEMOIR_BENCH_DATA to the folder of the data.`);
  return readFileSync(path, 'utf8');
};

export const readJson = <Shape>(path: string): Shape => JSON.parse(textOf(path)) as Shape;

export const readJsonLines = <Shape>(path: string): Shape[] =>
  textOf(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Shape);

/** The rows below the heading. */
export const readTable = (path: string): string[][] =>
  textOf(path)
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
