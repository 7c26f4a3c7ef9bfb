// The options of `npm run bench:memory`.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  sets: readonly string[];
  byCategory: boolean;
  details: boolean;
  /** The file for the sample of LoCoMo. */
  sample: string;
  seed: number;
  /** The checkout whose reader is timed. */
  reader: string;
}

const USAGE = `npm run bench:memory -- --set SET [options]

  --set SET         first, tuned, second, third, fourth, fifth, further, sixth,
                    eighth, seventh, ninth, tenth, eleventh, twelfth,
                    thirteenth, fourteenth, fifteenth, sixteenth,
                    seventeenth, eighteenth, nineteenth, twentieth,
                    twenty-first, twenty-second-held, languages-changing,
                    languages-changing-held, languages,
                    forgetting, forgetting:held, locomo, scifact, pairs,
                    pairs:held, worth, speed; several with commas
  --by category     also prints the figures of each category
  --details         also prints what is wrong in each scenario; not for a held set
  --sample FILE     where the sample of 60 memories of LoCoMo is written
  --seed N          another sample
  --reader DIR      with speed: the checkout whose reader is timed; default: this one`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: 'string' },
      by: { type: 'string' },
      details: { type: 'boolean', default: false },
      sample: { type: 'string', default: join(tmpdir(), 'memoir-locomo-sample.txt') },
      seed: { type: 'string', default: '1' },
      reader: { type: 'string', default: join(import.meta.dirname, '..', '..', '..') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  if (values.set === undefined) throw new Error(`Which set is to be measured?\n\n${USAGE}`);
  if (values.by !== undefined && values.by !== 'category')
    throw new Error(`--by takes "category", not "${values.by}".`);
  const { sample, reader, details } = values;
  return {
    sets: values.set.split(',').map((name) => name.trim()),
    byCategory: values.by === 'category',
    ...{ details, sample, reader },
    seed: Number(values.seed),
  };
}
