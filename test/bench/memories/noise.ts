// Whether a memory comes from words that state nothing: its words are more often in those than in the rest.
import type { BenchScenario } from '../../memories/sets.ts';

const ENOUGH = 0.5;
/** Shorter words say nothing about where a memory comes from; scripts without spaces are compared by character. */
const SHORTEST = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) =>
    UNSPACED.test(word) ? [...word] : word.length < SHORTEST ? [] : [word.slice(0, SHORTEST + 1)],
  );

const share = (memory: readonly string[], text: string): number => {
  const known = new Set(wordsOf(text));
  return memory.filter((word) => known.has(word)).length / Math.max(1, memory.length);
};

const linesOf = ({ steps }: BenchScenario): string[] =>
  steps.flatMap((step) => {
    if (!('add' in step)) return [];
    return [...(step.text ?? '').split('\n'), ...(step.turns ?? []).map(([, said]) => said)];
  });

/** The text of a line without the words that state nothing. */
const withoutNoise = (line: string, noise: readonly string[]): string =>
  noise.reduce((rest, part) => rest.replace(part, ' '), line);

export function isNoise(scenario: BenchScenario, memory: string): boolean {
  const words = wordsOf(memory);
  const best = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => share(words, text)));
  const inNoise = best(scenario.noise);
  const stated = linesOf(scenario).map((line) => withoutNoise(line, scenario.noise));
  return inNoise >= ENOUGH && inNoise > best(stated);
}
