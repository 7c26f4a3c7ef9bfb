// The facts that a kept or turned sentence of one of the five languages tells, with its subject.
import { countFunctionWords } from '../../../../../lib/text/language/function-words.ts';
import type { RuleFact } from '../../language.ts';
import { type ToldFact, toldFacts } from './facts.ts';
import { type Tie, tiesIn } from './people.ts';
import { FOR_SOMEBODY, thingFactIn } from './things.ts';
import type { SelfLanguage } from './verbs.ts';

const LABELLED = /^(?<label>\p{Lu}[^:]{0,40}): (?<said>.+)$/su;

export interface ToldSentence {
  /** The key of the speaker. */
  readonly owner: string;
  /** The key of whom the verb is about: "Rafa tem um gato chamado Pirata". */
  readonly holder?: string;
  readonly said: string;
  readonly isAbout: boolean;
}

/** The sentence behind the name of the speaker; `users`: the words for a speaker without a name. */
export const toldIn = (memory: string, users: RegExp): ToldSentence => {
  const user = users.exec(memory)?.[0];
  if (user !== undefined) {
    const rest = memory.slice(user.length);
    return { owner: 'user', said: rest.replace(/^:?\s+/, ''), isAbout: !rest.startsWith(':') };
  }
  const { label, said } = LABELLED.exec(memory)?.groups ?? {};
  if (label !== undefined && said !== undefined) return { owner: label.toLowerCase(), said, isAbout: false };
  const [holder = ''] = /^\p{Lu}[\p{L}'’-]*(?= \p{Ll})/u.exec(memory) ?? [];
  return {
    owner: 'user',
    said: memory,
    isAbout: false,
    ...(holder === '' ? {} : { holder: holder.toLowerCase() }),
  };
};

/** The facts of people in a sentence, else those of a thing. */
export const factsToldBy = ({ said, owner, isAbout }: ToldSentence, language: SelfLanguage): ToldFact[] => {
  const ofThing = isAbout ? null : thingFactIn(said, language);
  if (ofThing) return [{ fact: ofThing, name: null, kind: null }];
  return toldFacts(said, { owner, isAbout }, language);
};

/** A place, a trade, an end or a state of a thing: worth a memory in itself. */
export const isStrong = ({ fact }: ToldFact): boolean =>
  fact.slot !== null || fact.ends.length > 0 || fact.mends.length > 0 || fact.isTrouble;

const SAYS_LITTLE = new Set(['be', 'become']);

/** An act or a possession with its object: worth a memory where it is known whose the person is. */
export const isWorthOfNamed = (told: ToldFact): boolean => {
  const { fact, kind } = told;
  if (isStrong(told)) return true;
  return (fact.canEnd || kind === 'begin') && fact.object.length > 1 && !SAYS_LITTLE.has(kind ?? 'be');
};

export const tiesTold = ({ said, owner, holder }: ToldSentence): Tie[] => tiesIn(said, { owner, holder });

const FUNCTIONS_LEAST = 1;

/** The languages whose words of grammar a text holds, the likeliest first. */
export const likeliest = (said: string, languages: readonly SelfLanguage[]): SelfLanguage[] => {
  const words = (said.toLowerCase().match(/[\p{L}'’]+/gu) ?? []).map((word) => word.replace('’', "'"));
  const counts = new Map<string, number>(countFunctionWords(words).others);
  const of = ({ code }: SelfLanguage): number => counts.get(code) ?? 0;
  return languages.filter((language) => of(language) >= FUNCTIONS_LEAST).sort((a, b) => of(b) - of(a));
};

/** The parts of a fact that join another reading of the same statement, which has the numbers and names. */
export const withTold = (read: RuleFact, told: RuleFact): RuleFact => {
  const { frame, object, detail, canEnd, subject, holder, changes, adds, begins, more } = told;
  const topic = told.topic.length > 0 ? told.topic : read.topic;
  const weak = { frame, object, topic, detail, canEnd, subject, holder, changes, adds, begins, more };
  if (!isStrong({ fact: told, name: null, kind: null })) return { ...read, ...weak };
  const { slot, value, standing, oneValue, isStatic, ends, mends, isTrouble } = told;
  const state = { slot, value, standing, oneValue, isStatic, ends, mends, isTrouble };
  const thing = told.isOfThing ? { thing: told.thing, isOfThing: true } : {};
  // The model of replacement reads words of English alone: an end, and the amount of "the fee for children", are left to rules.
  const isQualified = told.thing.includes(FOR_SOMEBODY);
  const sketch = ends.length > 0 || isQualified ? null : read.sketch;
  return { ...read, about: null, introduces: false, ...weak, ...state, ...thing, sketch };
};
