// The statement that says what came in place of what ended: "I left the call centre. I am a tram driver now".
import { analyse } from '../../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../../lib/text/terms/derivations.ts';
import type { RuleFact, Sketch } from '../language.ts';
import { FUTURE } from './sketch.ts';

const rootsOf = (words: string): ReadonlySet<string> => new Set(analyse(words).map(rootOf));

/** Verbs of habits, jobs and vehicles: one takes the place of another. */
const DOES = rootsOf('work teach train study drive ride use eat drink play rent live run open');
/** Verbs of getting and beginning: in the past, they tell of a thing that takes the place of another. */
const GOT = rootsOf('get buy join start begin open adopt hire choose find take');
const PRESENT = 0;
/** The sign of "now" in the table of signs. */
const NOW = 0;

const tellsOfAnother = ({ verb, tense, signs }: Sketch): boolean => {
  if (verb === 'be') return tense === PRESENT && signs.includes(NOW);
  return tense === PRESENT ? DOES.has(verb) : GOT.has(verb);
};

/** `end`: a statement of the same message, just before, that only ended something. */
export const comesInPlace = (fresh: RuleFact, end: RuleFact): boolean => {
  const { sketch } = fresh;
  if (fresh.subject !== end.subject) return false;
  if (fresh.begins) return !fresh.adds;
  return (
    sketch?.isPerson === true &&
    !(sketch.isNegated || sketch.isModal || sketch.leavesAll || sketch.isWish || sketch.tense === FUTURE) &&
    tellsOfAnother(sketch)
  );
};
