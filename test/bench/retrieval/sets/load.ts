// Opens a set by its name: "locomo", "locomo:held", "beam:100K/dev", "longmemeval:pool", "scifact".
import { dataFolder, NO_DATA } from '../data.ts';
import type { BenchSet } from '../space.ts';
import { beam } from './beam.ts';
import { collection } from './collection.ts';
import { languagesSet } from './languages.ts';
import { locomo } from './locomo.ts';
import { longmemeval } from './longmemeval.ts';
import { paraphrases } from './paraphrases.ts';

const SETS: Readonly<Record<string, (folder: string, part: string | undefined) => BenchSet>> = {
  locomo,
  beam,
  longmemeval,
  scifact: (folder) => collection(folder, 'scifact'),
  cranfield: (folder) => collection(folder, 'cranfield'),
  cisi: (folder) => collection(folder, 'cisi'),
  languages: (_folder, part) => languagesSet(part),
  paraphrases: (_folder, part) => paraphrases(part),
};

export function loadSet(name: string): BenchSet {
  const [first = '', ...rest] = name.split(':');
  const load = SETS[first];
  if (load === undefined)
    throw new Error(`There is no set "${first}"; there are ${Object.keys(SETS).join(', ')}.`);
  const folder = dataFolder();
  if (folder === null) throw new Error(NO_DATA);
  const set = load(folder, rest.length === 0 ? undefined : rest.join(':'));
  if (set.spaces.length === 0) throw new Error(`There is nothing in ${folder} of the set "${name}".`);
  return set;
}
