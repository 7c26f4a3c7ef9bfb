// Decides if a statement ends or replaces an earlier one: by the same subject or thing, another value of the same kind, and a
// sign of change. Precision comes first, because a wrong change hides what is true.
import { ANYBODY, type RuleFact } from './language.ts';
import { compareTerms } from './values.ts';

const shares = (one: readonly string[], two: readonly string[]): boolean =>
  one.some((term) => two.includes(term));
const holdsAll = (terms: readonly string[], within: readonly string[]): boolean =>
  terms.length > 0 && terms.every((term) => within.includes(term));

/** The facts of all clauses of a statement. */
export const factsIn = (fact: RuleFact | null): readonly RuleFact[] => (fact ? [fact, ...fact.more] : []);

/** True if the statement has a sign of change, so that earlier ones are worth a search by its words. */
export const mayChange = (fact: RuleFact): boolean =>
  fact.changes ||
  fact.isLevel ||
  fact.holding !== null ||
  fact.died !== null ||
  fact.isOfAll ||
  [fact.ends, fact.mends, fact.moves, fact.lifeEnds].some(({ length }) => length > 0);

/** A present state that can end. */
const isOpen = (known: RuleFact): boolean => known.canEnd && known.standing === 'holds';

/** True if a known fact holds what the statement ends. */
export const isEnded = (fresh: RuleFact, known: RuleFact): boolean =>
  isOpen(known) &&
  known.ends.length === 0 &&
  fresh.ends.some((terms) =>
    holdsAll(terms, fresh.subject === ANYBODY ? known.detail : [...known.object, ...known.topic]),
  );

/** "Outgrew the peanut allergy", "the peanut allergy is gone": what lasts ends only under its own name. */
export const isOutgrown = (fresh: RuleFact, known: RuleFact): boolean =>
  known.standing === 'holds' &&
  fresh.ends.some(
    (terms) =>
      shares(terms, known.endsAs) &&
      holdsAll(
        terms.filter((term) => !known.endsAs.includes(term)),
        known.detail,
      ),
  );

/** "Ike moved out" after "shares a flat with Jools, Petra and Ike": of several, one is gone, and the others are as they were. */
export const takesOne = (fresh: RuleFact, known: RuleFact): boolean => {
  const left = known.listed.filter((name) => !fresh.mentions.includes(name));
  const gone = [fresh.holder, ...fresh.thing, ...fresh.ends.flat()];
  return left.length > 0 && known.listed.some((name) => !left.includes(name) && gone.includes(name));
};

/** A named part of a thing is replaced, by anybody: "The API uses REST", "We replaced REST with GraphQL". */
export const isDropped = (fresh: RuleFact, known: RuleFact): boolean =>
  isOpen(known) &&
  known.isOfThing &&
  known.subject !== fresh.subject &&
  fresh.ends.some((terms) => holdsAll(terms, known.object) && holdsAll(terms, fresh.mentions));

const AGE = /\/age$/;

/** The dead do nothing any more, and grow no older; who they were stays true. */
export const isOfTheDead = (fresh: RuleFact, known: RuleFact): boolean =>
  (isOpen(known) || AGE.test(known.slot ?? '')) &&
  known.ends.length === 0 &&
  // "Rosa's flat is in Hove" is of the flat; a name that no list knows is read as a thing.
  (known.sketch?.isPerson === true ||
    (known.isOfThing && compareTerms(fresh.thing, known.thing) === 'equal'));

/** "Expecting a baby" after a birth. */
export const isLivedThrough = (fresh: RuleFact, known: RuleFact): boolean =>
  known.standing === 'holds' && fresh.lifeEnds.some(({ state }) => state === known.lifeState);

/** "Everything is on Hetzner now" after "The app runs on Heroku". */
export const isRehosted = (fresh: RuleFact, known: RuleFact): boolean =>
  isOpen(known) && known.runsOn !== null && !known.isOfAll && known.runsOn !== fresh.runsOn;

/** The thing that was out of order is in order again. */
export const isMended = (fresh: RuleFact, known: RuleFact): boolean =>
  isOpen(known) &&
  known.isTrouble &&
  fresh.mends.some((thing) => compareTerms(thing, known.thing) !== 'other' && shares(thing, known.thing));

/** A task of one person at a time has passed to another: "plays the count". */
export const isTakenOver = (fresh: RuleFact, known: RuleFact): boolean =>
  isOpen(known) &&
  !fresh.adds &&
  fresh.subject !== known.subject &&
  known.subject !== null &&
  (fresh.changes || shares(known.thing, fresh.mentions));

/** Another day, time, amount: values of different kinds stand beside each other. */
const isOtherMeasure = (fresh: RuleFact, known: RuleFact): boolean =>
  !fresh.adds &&
  shares(fresh.measureKinds, known.measureKinds) &&
  compareTerms(fresh.measures, known.measures) === 'other';

/** "The ferry moved us to 13 July" after "tickets for the ferry on 12 July". */
export const isMoved = (fresh: RuleFact, known: RuleFact): boolean =>
  known.standing === 'holds' &&
  holdsAll(fresh.moves, [...known.thing, ...known.topic]) &&
  isOtherMeasure(fresh, known);

/** The same is said of the same with another number: "takes ramipril 5 mg", "is on ramipril 10 mg now". */
export const isRecounted = (fresh: RuleFact, known: RuleFact): boolean => {
  if (!isOpen(known) || !(fresh.changes || fresh.isLevel) || !isOtherMeasure(fresh, known)) return false;
  return compareTerms(fresh.thing, known.thing) === 'equal' && shares(fresh.topic, known.topic);
};

/** True if, after a word of change, one value in a frame may replace the other. */
export const mayReplace = (fresh: RuleFact, known: RuleFact): boolean =>
  fresh.changes &&
  fresh.kind === known.kind &&
  isOpen(known) &&
  compareTerms(fresh.detail, known.detail) === 'other';
