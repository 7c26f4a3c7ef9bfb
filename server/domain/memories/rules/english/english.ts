// The `Language` of English for the reader by rules.
import type { Language } from '../language.ts';
import { factOf } from './fact.ts';
import { tokensOf, wordSet } from './grammar/words.ts';
import { createInterpreter } from './interpreter.ts';
import { aliasesOf } from './naming.ts';
import { inThirdPerson } from './own-words.ts';
import { leftOutBy } from './sentences/instructed.ts';

const COMMON = wordSet(
  'the a an and or but of to in on at for with is are was were be been have has had i my me we you your he she it they this that not do does did will would can from as so just about what how there their our am very when if',
);
const ELSEWHERE = wordSet(
  'ich und der das ist nicht ein eine wir sie mit auf für suis les est une et pas des dans pour los las una con por para soy eu não uma jag och är inte det ik het een niet sono che di non jestem nie się',
);
const SAMPLE = 400;

/** Letters of another script or common words of another language lower the score. */
const recognises = (text: string): number => {
  const sample = text.slice(0, SAMPLE);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return 0;
  const latin = sample.match(/[a-z]/gi)?.length ?? 0;
  if (latin / letters < 0.7) return 0;
  const words = tokensOf(sample);
  const ours = words.filter(({ lower }) => COMMON.has(lower) || /n't$|^i'/.test(lower)).length;
  const theirs = words.filter(({ lower }) => ELSEWHERE.has(lower) && !COMMON.has(lower)).length;
  if (theirs > ours) return 0.1;
  return ours > 0 ? 1 : 0.6;
};

export const english: Language = {
  name: 'english',
  recognises,
  open: (source, memories) => createInterpreter(source, memories.map(inThirdPerson)),
  factOf: (memory) => factOf(inThirdPerson(memory)),
  aliasesOf: (memory) => aliasesOf(inThirdPerson(memory)),
  leftOutBy,
  alwaysWanted: ['user/name'],
};
