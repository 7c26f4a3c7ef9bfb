// The scenarios that `npm run bench:memory` plays: a folder for each set. In them {{...}} marks what states nothing.
import { readFolder, type Scenario, type Step, type Turn } from './scenario.ts';

/** The models learn from these: whoever changes the reader may read them. */
export const READ_SETS = [
  'first',
  'tuned',
  'second',
  'third',
  'fourth',
  'fifth',
  'further',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
] as const;
export type ReadSet = (typeof READ_SETS)[number];
/** Those after the read sets are in no training yet. People who change the reader do not read the held sets. */
export const SETS = [
  ...READ_SETS,
  'languages-changing',
  'languages-changing-held',
  'twenty-first',
  'twenty-second-held',
] as const;

const NOISE = /\{\{(.*?)\}\}/gs;

export interface BenchScenario extends Scenario {
  /** The words in it that state nothing. */
  readonly noise: readonly string[];
}

const textsOf = (step: Step): string[] =>
  'add' in step ? [step.text ?? [], (step.turns ?? []).map(([, said]) => said)].flat() : [];

const noiseIn = (text: string): string[] => [...text.matchAll(NOISE)].map(([, noise = '']) => noise);

const unmarked = (text: string): string => text.replace(NOISE, '$1');

const unmarkedStep = (step: Step): Step => {
  if (!('add' in step)) return step;
  const turns = step.turns?.map(([who, said, ...date]) => [who, unmarked(said), ...date] as Turn);
  return {
    ...step,
    ...(step.text === undefined ? {} : { text: unmarked(step.text) }),
    ...(turns === undefined ? {} : { turns }),
  };
};

export const isSet = (name: string): name is (typeof SETS)[number] =>
  (SETS as readonly string[]).includes(name);

/** With the marks. */
export const readMarked = (name: (typeof SETS)[number]): Scenario[] => readFolder(name);

export const readSet = (name: (typeof SETS)[number]): BenchScenario[] =>
  readMarked(name).map((one) => ({
    ...one,
    steps: one.steps.map(unmarkedStep),
    noise: one.steps.flatMap(textsOf).flatMap(noiseIn),
  }));
