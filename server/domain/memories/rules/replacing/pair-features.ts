// The features of two statements for the model of replacement: the later one, and an earlier one that it may replace.
import { likenessOfRoots, nearestOfRoots } from '../../../../lib/text/meanings/word-meanings.ts';
import { factsIn, isEnded, isMended, isMoved, isRecounted, isTakenOver, mayReplace } from '../changes.ts';
import type { RuleFact, Sketch } from '../language.ts';
import { compareTerms, verdict } from '../values.ts';
import { circumstances } from './circumstances.ts';
import type { ComparedStatement } from './compared-statement.ts';
import { both, share, sum, weightOf, without } from './root-sets.ts';
import { SIGN_COUNT } from './sketch.ts';
import type { Surroundings } from './surroundings.ts';

export interface Circumstances {
  /** True: both were said at the same time, as in one document. */
  readonly isSameTime: boolean;
}

const attributeOfSlot = ({ slot }: RuleFact): string => slot?.replace(/^[^/]*\//, '').split(':')[0] ?? '';

/** What both say, and what each says alone. */
const overlap = (later: Sketch, earlier: Sketch, owners: readonly string[]): number[] => {
  const own = owners.flatMap((key) => key.split(/[. ]/));
  const all = ({ words, names }: Sketch): string[] => without([...words, ...names], own);
  const [fresh, known] = [all(later), all(earlier)];
  const common = both(fresh, known);
  const commonNames = without(both(later.names, [...earlier.names, ...earlier.words]), own);
  const [freshRest, knownRest] = [without(fresh, common), without(known, common)];
  return [
    common.length,
    sum(common),
    share(common, known),
    share(common, fresh),
    Math.max(0, ...common.map(weightOf)),
    commonNames.length,
    Math.min(3, without(later.names, [...earlier.names, ...own]).length),
    Math.min(3, without(earlier.names, [...later.names, ...own]).length),
    likenessOfRoots(fresh, known),
    likenessOfRoots(freshRest, knownRest),
    nearestOfRoots(freshRest, knownRest),
    likenessOfRoots(fresh, knownRest),
    likenessOfRoots(later.words, earlier.words),
    nearestOfRoots(without(later.names, common), without(earlier.names, common)),
    nearestOfRoots([later.verb], without(earlier.words, common)),
    nearestOfRoots(without(later.words, common), [earlier.verb]),
    fresh.length,
    known.length,
  ];
};

/** "The tax deadline" and "the grant deadline". */
const isOtherOfKind = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((root) => other.includes(root)) && compareTerms(one, other) === 'other';

const subjects = (later: ComparedStatement, earlier: ComparedStatement): number[] => {
  const [fresh, known] = [later.sketch, earlier.sketch];
  const isSame = both(later.owners, earlier.owners).length > 0;
  const named = (owners: readonly string[], names: readonly string[]): boolean =>
    owners.some((owner) => owner.split(/[. ]/).some((word) => names.some((name) => word.startsWith(name))));
  return [
    Number(isSame),
    Number(later.fact.subject === 'user' || later.owners.includes('user')),
    Number(earlier.fact.subject === 'user' || earlier.owners.includes('user')),
    Number(named(later.owners, [...known.names, ...known.words])),
    Number(named(earlier.owners, [...fresh.names, ...fresh.words])),
    share(both(fresh.noun, [...known.words, ...known.names]), fresh.noun),
    share(both(known.noun, [...fresh.words, ...fresh.names]), known.noun),
    Number(fresh.noun.length > 0 && compareTerms(fresh.noun, known.noun) === 'equal'),
    Number(isOtherOfKind(fresh.noun, known.noun)),
    likenessOfRoots(fresh.noun, known.noun),
    Number(fresh.isPerson),
    Number(known.isPerson),
    Number(fresh.noun.length > 0),
    Number(known.noun.length > 0),
  ];
};

const values = ({ fact: fresh }: ComparedStatement, { fact: known }: ComparedStatement): number[] => {
  const isSameKind = fresh.measureKinds.some((kind) => known.measureKinds.includes(kind));
  const compared = compareTerms(fresh.measures, known.measures);
  const attribute = attributeOfSlot(fresh);
  return [
    Number(isSameKind),
    Number(isSameKind && compared === 'other'),
    Number(isSameKind && compared === 'equal'),
    Math.min(3, fresh.measures.length),
    Math.min(3, known.measures.length),
    share(both(fresh.object, known.object), known.object),
    share(both(known.object, fresh.mentions), known.object),
    Number(attribute !== '' && attribute === attributeOfSlot(known)),
    Number(fresh.slot !== null),
    Number(known.slot !== null),
    Number(fresh.frame !== null && fresh.frame === known.frame),
    Number(fresh.kind === known.kind),
    Number(fresh.isStatic),
    Number(known.isStatic),
    Number(known.canEnd),
    Number(known.standing === 'holds'),
    Number(fresh.changes),
    Number(fresh.adds),
    Number(
      fresh.ends.some((terms) => terms.some((term) => [...known.object, ...known.topic].includes(term))),
    ),
    Number(fresh.ends.length > 0),
  ];
};

/** The rules that would need one more sign. */
const rules = ({ fact: fresh }: ComparedStatement, { fact: known }: ComparedStatement): number[] =>
  [isEnded, isMended, isTakenOver, isMoved, isRecounted, mayReplace].map((rule) =>
    Number(factsIn(fresh).some((one) => factsIn(known).some((other) => rule(one, other)))),
  );

const verbs = (fresh: Sketch, known: Sketch): number[] => [
  Number(fresh.verb === known.verb),
  likenessOfRoots([fresh.verb], [known.verb]),
  fresh.tense,
  known.tense,
  Number(fresh.isNegated),
  Number(known.isNegated),
  Number(fresh.isModal),
  Number(known.isModal),
  Number(fresh.isProgressive),
  Number(known.isProgressive),
];

const signs = (fresh: Sketch, known: Sketch): number[] =>
  [fresh, known].flatMap((sketch) =>
    Array.from({ length: SIGN_COUNT }, (_, place) => Number(sketch.signs.includes(place))),
  );

/** The number of words that both begin with. */
const commonStart = (one: readonly string[], other: readonly string[]): number => {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
};

/** The number of words that both hold in the same order. */
const commonInOrder = (one: readonly string[], other: readonly string[]): number => {
  let lengths = new Array<number>(other.length + 1).fill(0);
  for (const word of one) {
    const next = [0];
    for (const [at, known] of other.entries())
      next.push(word === known ? (lengths[at] ?? 0) + 1 : Math.max(lengths[at + 1] ?? 0, next[at] ?? 0));
    lengths = next;
  }
  return lengths.at(-1) ?? 0;
};

/** "The rent is 910 a month" and "The rent is 840 a month" differ in a name or a number alone. */
const template = ({ wording: fresh }: Sketch, { wording: known }: Sketch): number[] => {
  const [shorter, longer] = [fresh.length, known.length].sort((a, b) => a - b) as [number, number];
  const inOrder = commonInOrder(fresh, known);
  return [
    commonStart(fresh, known) / Math.max(1, shorter),
    inOrder / Math.max(1, longer),
    Number(inOrder === longer),
  ];
};

const attributes = (later: ComparedStatement, earlier: ComparedStatement): number[] => {
  const [fresh, known] = [later.sketch.attributes, earlier.sketch.attributes];
  const near = later.fields.map((one, at) => Math.min(one, earlier.fields[at] ?? 0));
  const common = fresh.filter((one) => known.includes(one));
  return [common.length, fresh.length, known.length, Math.max(...near)];
};

/** People that both concern, beside those that they are about. */
const company = (later: ComparedStatement, earlier: ComparedStatement): number[] => [
  Number(both(later.sketch.others, earlier.owners).length > 0),
  Number(both(later.owners, earlier.sketch.others).length > 0),
  Number(both(later.sketch.others, earlier.sketch.others).length > 0),
];

/** The part of the earlier statement that is nearest: "espresso 2.20" of a list of prices. */
const parts = (
  { sketch: fresh, owners }: ComparedStatement,
  { sketch: known }: ComparedStatement,
): number[] => {
  const own = owners.flatMap((key) => key.split(/[. ]/));
  const words = without([...fresh.words, ...fresh.names], own);
  let [common, likeness] = [0, 0];
  for (const part of known.parts) {
    const found = without(part, own);
    common = Math.max(common, share(both(words, found), found));
    likeness = Math.max(likeness, likenessOfRoots(without(words, found), without(found, words)));
  }
  return [known.parts.length, fresh.parts.length, common, likeness];
};

const NO_NUMBER = 9;

/** The nearest two numbers that differ: 1,430 and 1,340 are likelier of the same thing than 3 and 1,340. */
const numbers = ({ numbers: fresh }: Sketch, { numbers: known }: Sketch): number[] => {
  let least = NO_NUMBER;
  for (const one of fresh)
    for (const other of known)
      if (one !== other && one > 0 && other > 0) least = Math.min(least, Math.abs(Math.log(one / other)));
  return [
    least,
    Math.min(3, fresh.length),
    Math.min(3, known.length),
    Number(fresh.some((one) => known.includes(one))),
  ];
};

/** "Noor and others are with Odido", "Wifi is with Ziggo": the same frame, of anybody. */
const frameOfAnybody = ({ frame }: RuleFact): string => frame?.replace(/^[^/]*\//, '') ?? '';

const isSameFrame = ({ fact: fresh }: ComparedStatement, { fact: known }: ComparedStatement): boolean =>
  fresh.frame !== null && known.frame !== null && frameOfAnybody(fresh) === frameOfAnybody(known);

const isSlotChanged = (
  { fact: fresh, owners }: ComparedStatement,
  { fact: known, owners: others }: ComparedStatement,
): boolean =>
  fresh.slot !== null &&
  known.slot !== null &&
  attributeOfSlot(fresh) === attributeOfSlot(known) &&
  fresh.slot.slice(fresh.slot.indexOf('/')) === known.slot.slice(known.slot.indexOf('/')) &&
  both(owners, others).length > 0 &&
  verdict(fresh, known) === 'updates';

const featuresOf = (
  later: ComparedStatement,
  earlier: ComparedStatement & Circumstances,
  around: Surroundings,
): number[] => [
  ...overlap(later.sketch, earlier.sketch, [...later.owners, ...earlier.owners]),
  ...subjects(later, earlier),
  ...values(later, earlier),
  ...rules(later, earlier),
  Number(isSlotChanged(later, earlier)),
  ...verbs(later.sketch, earlier.sketch),
  ...signs(later.sketch, earlier.sketch),
  ...attributes(later, earlier),
  ...template(later.sketch, earlier.sketch),
  Number(earlier.isSameTime),
  ...company(later, earlier),
  ...parts(later, earlier),
  ...numbers(later.sketch, earlier.sketch),
  Number(isSameFrame(later, earlier)),
  ...circumstances(later, earlier, around),
];

/** The first columns tell how near two statements are: each is also compared with the nearest of the others. */
const NEARNESS = 19;

/** The evidence of a statement that nothing speaks for. */
const FAR = -9;

interface Nearest {
  readonly most: number;
  readonly second: number;
}

/** The largest of a column and the largest but it; 0 where no number is larger. */
const nearestOf = (rows: readonly (readonly number[])[], column: number): Nearest => {
  let [most, second] = [0, 0];
  for (const row of rows) {
    const value = row[column] ?? 0;
    if (value > most) [most, second] = [value, most];
    else if (value > second) second = value;
  }
  return { most, second };
};

/** The features of the later statement with each of the earlier ones, which compete for it. */
export const featuresWithEach = (
  later: ComparedStatement,
  earlier: readonly (ComparedStatement & Circumstances)[],
  around: Surroundings,
): (readonly number[])[] => {
  const rows = earlier.map((one) => featuresOf(later, one, around));
  const nearest = Array.from({ length: NEARNESS }, (_, column) => nearestOf(rows, column));
  return rows.map((row) => [
    ...row,
    ...nearest.map(({ most, second }, column) => {
      const own = row[column] ?? 0;
      return own - (own === most ? second : most);
    }),
  ]);
};

/** With the evidence of their words; those of both compete as well. */
export const withEvidence = (
  rows: readonly (readonly number[])[],
  ofLater: number,
  ofPair: readonly number[],
): (readonly number[])[] => {
  const [first, second] = [...ofPair].sort((a, b) => b - a);
  return rows.map((row, at) => {
    const own = ofPair[at] ?? 0;
    const next = (own === first ? second : first) ?? FAR;
    return [...row, ofLater, own, own - next, rows.length];
  });
};
