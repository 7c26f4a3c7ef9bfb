// The earlier statement that a later one replaces, by a model that learned it from labelled pairs (`scripts/replacing/`). It
// decides where no rule for change does.
import { createRequire } from 'node:module';
import { once } from '../../../../lib/once.ts';
import { type BoostedTrees, probabilityBy } from '../boosted-trees.ts';
import { evidenceBy, type WordEvidence } from '../word-weights.ts';
import type { ComparedStatement } from './compared-statement.ts';
import { type Circumstances, featuresWithEach, withEvidence } from './pair-features.ts';
import { wordsOfLater, wordsOfPair } from './pair-words.ts';
import { FUTURE } from './sketch.ts';
import { NO_SURROUNDINGS, type Surroundings } from './surroundings.ts';

interface Limits {
  /** From this chance on, the earlier statement is replaced: a wrong replacement hides what is true. */
  readonly likely: number;
  /** From this chance on, it is in doubt, which hides nothing from a list or a search and only decides what stands first. */
  readonly perhaps: number;
}

const AMONG_FEW: Limits = { likely: 0.65, perhaps: 0.65 };
/** One of many earlier statements always looks alike, above all in long talk. */
const AMONG_MANY: Limits = { likely: 0.85, perhaps: 0.7 };
const FEW = 5;
/** From this chance on, a search among few memories may put the later one first where both answer nearly alike. */
const SLIGHTLY = 0.25;
/** Among more earlier statements so small a chance tells nothing. */
const MOST_WITH_HINT = 12;
/** An ended statement is hidden already, so that only the one with the new value is looked for. */
const OF_ENDED = 0.5;
/** The message around a statement makes a change likelier: "I quit the sawmill. I am 58" none of what alone has hardly a chance. */
const LEAST_ALONE = 0.2;
/** The nearest in time: those before them hardly compete. */
const MOST = 60;

/** Most threads that load the rules judge nothing at first, so the model is loaded on first use. */
const learned = once(() => {
  const model = createRequire(import.meta.url)('./model.json') as typeof import('./model.json');
  const [ofLater, ofPair] = model.words.map(evidenceBy) as [WordEvidence, WordEvidence];
  const trees: BoostedTrees = model.trees;
  return { trees, ofLater, ofPair };
});

const shares = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((word) => other.includes(word));

/** Those whom it is about, and others whom it concerns. */
const concerned = ({ owners, sketch }: ComparedStatement): readonly string[] =>
  sketch.others.length === 0 ? owners : [...owners, ...sketch.others];

/** True if there is anything to compare. */
const isNear = (later: ComparedStatement, earlier: ComparedStatement): boolean => {
  const [fresh, known] = [later.sketch, earlier.sketch];
  return (
    shares(concerned(later), concerned(earlier)) ||
    shares([...fresh.words, ...fresh.names], [...known.words, ...known.names])
  );
};

/** Anna's sister Eva and Anna's sister Maria: what one does says nothing of the other. */
const areTwoOfATie = (later: ComparedStatement, earlier: ComparedStatement): boolean =>
  later.sketch.isPerson &&
  earlier.sketch.isPerson &&
  shares(later.sketch.noun, earlier.sketch.noun) &&
  !shares(later.owners, earlier.owners);

const LETTER = /^\p{Lu}$/u;
/** "Now", "moved", "instead", in the table of signs. */
const SIGNS_OF_CHANGE = [0, 2, 6];

/** Team A and team B, vitamin C and vitamin D. */
const areTwoLetters = (
  { sketch: later }: ComparedStatement,
  { sketch: earlier }: ComparedStatement,
): boolean => {
  const [own, others] = [later.names, earlier.names].map((names) =>
    names.filter((name) => LETTER.test(name)),
  );
  return (
    own !== undefined &&
    others !== undefined &&
    own.length > 0 &&
    others.length > 0 &&
    !shares(own, others) &&
    !later.isPerson &&
    !SIGNS_OF_CHANGE.some((sign) => later.signs.includes(sign))
  );
};

/** "Went up to 9000 turns" says nothing of 40 euros. */
const isOtherLevel = ({ fact: later }: ComparedStatement, { fact: earlier }: ComparedStatement): boolean =>
  later.isLevel &&
  earlier.measureKinds.length > 0 &&
  later.measureKinds.length > 0 &&
  !shares(later.measureKinds, earlier.measureKinds);

/** An allergy does not end with the peanuts: only a statement that names it changes it. */
const endsElsewhere = ({ fact, sketch }: ComparedStatement, { fact: earlier }: ComparedStatement): boolean =>
  earlier.endsAs.length > 0 && !shares(earlier.endsAs, [...sketch.words, ...fact.topic, ...fact.detail]);

/** "Closed the north cellar" ends nothing of the north shop. */
const endsOtherOfKind = (
  { fact }: ComparedStatement,
  { fact: earlier, sketch }: ComparedStatement,
): boolean => {
  const [same, ended = '', ...more] = fact.topic;
  const [first, held, ...further] = earlier.topic;
  return (
    fact.ends.length > 0 &&
    more.length + further.length === 0 &&
    same === first &&
    held !== undefined &&
    held !== ended &&
    !sketch.words.includes(ended)
  );
};

/** Those that a later statement is compared with. */
export const nearestIn = <Earlier extends ComparedStatement>(
  later: ComparedStatement,
  earlier: readonly Earlier[],
): Earlier[] => earlier.filter((one) => isNear(later, one) && !areTwoOfATie(later, one)).slice(-MOST);

/** In the table of signs. */
const NO_LONGER = 1;

/** "is not going to move": what does not come about changes nothing, and what goes on as before neither. */
const changesNothing = ({ sketch }: ComparedStatement): boolean =>
  sketch.leavesAll ||
  (sketch.isNegated && !sketch.signs.includes(NO_LONGER) && (sketch.isModal || sketch.tense === FUTURE));

/** The roots of verbs that tell a wish. */
const WISHES = /^(?:want|wish|like|prefer|love)$/;

/** "would like a charge of 15" leaves what is so. */
const isMereWish = ({ sketch: later }: ComparedStatement, { sketch: earlier }: ComparedStatement): boolean =>
  later.isWish && !earlier.isWish && !WISHES.test(earlier.verb);

export interface Replacement<Earlier> {
  readonly earlier: Earlier;
  readonly kind: 'updates' | 'doubts' | 'hints';
  readonly chance: number;
}

const kindBy = (chance: number, { likely, perhaps }: Limits): Replacement<unknown>['kind'] => {
  if (chance >= likely) return 'updates';
  return chance >= perhaps ? 'doubts' : 'hints';
};

/** An earlier statement that another of the same message ended or took the place of: only a likelier one takes it over. */
interface Claimed {
  readonly isEnded?: boolean;
  /** The chance by which another statement of the same message replaced it. */
  readonly claim?: number | null;
}

const chancesAmong = (
  later: ComparedStatement,
  near: readonly (ComparedStatement & Circumstances)[],
  around: Surroundings,
): number[] => {
  const { trees, ofLater, ofPair } = learned();
  return withEvidence(
    featuresWithEach(later, near, around),
    ofLater(wordsOfLater(later.sketch)),
    near.map(({ sketch }) => ofPair(wordsOfPair(later.sketch, sketch))),
  ).map((row) => probabilityBy(trees, row));
};

export const replacedBy = <Earlier extends ComparedStatement & Circumstances & Claimed>(
  later: ComparedStatement,
  earlier: readonly Earlier[],
  around: Surroundings,
): Replacement<Earlier> | null => {
  if (changesNothing(later)) return null;
  const near = nearestIn(later, earlier);
  const limits = near.length <= FEW ? AMONG_FEW : AMONG_MANY;
  const least = near.length <= MOST_WITH_HINT ? SLIGHTLY : limits.perhaps;
  let best: { one: Earlier; chance: number } | null = null;
  const alone = once(() => chancesAmong(later, near, NO_SURROUNDINGS));
  const isLikelyAlone = (at: number): boolean =>
    around.others.length === 0 || (alone()[at] ?? 0) >= LEAST_ALONE;
  for (const [at, chance] of chancesAmong(later, near, around).entries()) {
    const one = near[at];
    if (
      !one ||
      chance < (one.isEnded ? OF_ENDED : (one.claim ?? least)) ||
      isOtherLevel(later, one) ||
      areTwoLetters(later, one) ||
      endsElsewhere(later, one) ||
      endsOtherOfKind(later, one) ||
      isMereWish(later, one) ||
      !isLikelyAlone(at)
    )
      continue;
    if (chance > (best?.chance ?? 0)) best = { one, chance };
  }
  return (
    best && {
      earlier: best.one,
      chance: best.chance,
      kind: best.one.isEnded ? 'updates' : kindBy(best.chance, limits),
    }
  );
};
