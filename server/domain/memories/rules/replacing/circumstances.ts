// Features of two statements beside what they say of each other: the message around the later one, labels, and whose affair it is.
import { once } from '../../../../lib/once.ts';
import { placeOfAttribute } from '../../../../lib/text/attributes.ts';
import type { Sketch } from '../language.ts';
import type { ComparedStatement } from './compared-statement.ts';
import { both, share, sum, without } from './root-sets.ts';
import type { Surroundings } from './surroundings.ts';

/** A person mostly has one value at a time of these attributes. */
const AREAS = once(() =>
  ['live', 'work', 'education', 'diet', 'drink', 'car', 'relationship', 'medication', 'phone'].map(
    placeOfAttribute,
  ),
);

const wordsIn = ({ words, names }: Sketch): string[] => [...words, ...names];
const hasSign = ({ signs }: Sketch, places: readonly number[]): boolean =>
  signs.some((sign) => places.includes(sign));

/** In the table of signs. */
const ENDING = [1, 7];
const CHANGING = [0, 2, 3, 6];
const ADDING = [5];

/** The rest of the message: "The Vespa is sold. The user rides a Honda". */
const surroundings = (
  later: ComparedStatement,
  earlier: ComparedStatement,
  { before, others }: Surroundings,
): number[] => {
  const own = [...later.owners, ...earlier.owners].flatMap((key) => key.split(/[. ]/));
  const known = without(wordsIn(earlier.sketch), own);
  const commonTo = (sketch: Sketch): string[] => both(known, wordsIn(sketch));
  const ended = others.filter((one) => hasSign(one, ENDING)).map((one) => share(commonTo(one), known));
  return [
    Math.min(3, others.length),
    Math.max(0, ...ended),
    Number(others.some((one) => hasSign(one, CHANGING))),
    Number(before !== null && hasSign(before, ADDING)),
    Math.max(0, ...others.map((one) => sum(commonTo(one)))) - sum(commonTo(later.sketch)),
  ];
};

/** Without a label, a part of it or of its message: "Manager is Olle Frank" beside "Lund branch: manager is Yusra Demir". */
const labels = (fresh: Sketch, known: Sketch, { others }: Surroundings): number[] => {
  const said = [fresh, ...others].flatMap(wordsIn);
  const found = (label: readonly string[], words: readonly string[]): number =>
    label.length === 0 ? 1 : share(both(label, words), label);
  return [found(known.label, said), found(fresh.label, wordsIn(known))];
};

/** Two people of whom neither statement names the other's: what one does says little of the other. */
const isOfAnother = (later: ComparedStatement, earlier: ComparedStatement): boolean => {
  const words = (owners: readonly string[]): string[] => owners.flatMap((key) => key.split(/[. ]/));
  const names = ({ owners }: ComparedStatement, { sketch }: ComparedStatement): boolean =>
    words(owners).some(
      (word) =>
        sketch.others.includes(word) || wordsIn(sketch).some((name) => name !== '' && word.startsWith(name)),
    );
  return (
    later.sketch.isPerson &&
    earlier.sketch.isPerson &&
    both(later.owners, earlier.owners).length === 0 &&
    !names(later, earlier) &&
    !names(earlier, later)
  );
};

/** "The hostel has 12 beds" after "The hostel has 12 beds and no curfew" says nothing new. */
const saysAgain = ({ fact: fresh, sketch: later }: ComparedStatement, known: ComparedStatement): boolean => {
  const [values, before] = [
    [...fresh.measures, ...later.numbers.map(String), ...later.names],
    [...known.fact.measures, ...known.sketch.numbers.map(String), ...wordsIn(known.sketch)],
  ];
  return values.length > 0 && values.every((one) => before.includes(one));
};

/** The words that tell of them, without the verb and the names. */
const object = ({ sketch: fresh }: ComparedStatement, { sketch: known }: ComparedStatement): number => {
  const [later, earlier] = [fresh, known].map(({ words, verb }) => words.filter((word) => word !== verb));
  return share(both(later ?? [], earlier ?? []), earlier ?? []);
};

export const circumstances = (
  later: ComparedStatement,
  earlier: ComparedStatement,
  around: Surroundings,
): number[] => [
  ...surroundings(later, earlier, around),
  ...labels(later.sketch, earlier.sketch, around),
  Number(isOfAnother(later, earlier)),
  Number(saysAgain(later, earlier)),
  object(later, earlier),
  ...AREAS().map((place) =>
    Number(later.sketch.attributes.includes(place) && earlier.sketch.attributes.includes(place)),
  ),
];
