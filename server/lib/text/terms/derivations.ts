// Joins the words of one family: allergy and allergic, marry and marriage, buy and bought. The keyword index keeps Porter's
// stems, which part them; a comparison of two short texts in full uses their roots instead.
import { createMemo } from '../../memo.ts';
import { analyse } from './analyse.ts';

/** An ending of a stem, and the fewest letters before it: a shorter rest is another word ("mother", "party", "corner"). */
const ENDINGS: readonly (readonly [ending: string, fewest: number])[] = [
  ['ment', 4],
  ['ist', 4],
  ['ian', 4],
  ['ag', 5],
  ['al', 5],
  ['ee', 5],
  ['er', 5],
  ['or', 5],
  ['ic', 4],
  ['e', 6],
  ['i', 5],
];

/** Words that only look derived. */
const WHOLE: ReadonlySet<string> = new Set([
  'brother',
  'weather',
  'quarter',
  'counter',
  'chapter',
  'monster',
]);

/** Inflected forms that no ending shows, of words that say what a sentence is about. */
const IRREGULAR = `
begin began begun|bear born|break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|
come came|die died dead|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|fight
fought|fly flew flown|forget forgot forgotten|go went gone|grow grew grown|hide hid hidden|leave left|lend lent|lose
lost|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|see saw seen|sell sold|send sent|sing
sang sung|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|swim swam swum|take took
taken|teach taught|throw threw thrown|wear wore worn|win won|write wrote written|child children|wife wives
`;

/**
 * Other words of one family that no ending shows, and words for the same thing. The forms of verbs such as "know" and "say"
 * stand in every second message, so that a search for all of them finds the answer later (BEAM recall@5 48.6 to 47.9).
 */
const FAMILIES = `
feel felt|find found|get got gotten|give gave given|hear heard|hold held|keep kept|know knew known|say said|tell told|
think thought|bear birth|buy purchase|choose choice|die death|fly flight|grow growth|know knowledge|lose loss|marry
marriage|sell sale|sing song|speak speech|weigh weight|person people|colour color|favourite favorite|film movie|
holiday vacation|car automobile|bicycle bike|telephone phone|surgery surgical surgeon|italy italian|piano pianist|
asthma asthmatic
`;

const readRows = (rows: string): string[][] =>
  rows
    .trim()
    .split('|')
    .map((row) => analyse(row));

const readFamilies = (): Map<string, string> => {
  const roots = new Map<string, string>();
  for (const [first = '', ...others] of [...readRows(IRREGULAR), ...readRows(FAMILIES)]) {
    const root = roots.get(first) ?? first;
    for (const stem of [first, ...others]) roots.set(stem, root);
  }
  return roots;
};

let families: Map<string, string> | undefined;

const readInflections = (): Map<string, readonly string[]> =>
  new Map(
    readRows(IRREGULAR).flatMap((row) =>
      row.map((stem): [string, string[]] => [stem, row.filter((other) => other !== stem)]),
    ),
  );

let inflections: Map<string, readonly string[]> | undefined;

/** The other stems of an irregular word: "went" and "gone" for "go". */
export const inflectionsOf = (stem: string): readonly string[] => {
  inflections ??= readInflections();
  return inflections.get(stem) ?? [];
};

const MANY_LETTERS = 4;
const DOUBLED = /([bdgmnprt])\1$/;

const ENDS_IN_VOWEL_AND_I = /[aeou]i$/;

const withoutEnding = (stem: string): string => {
  if (ENDS_IN_VOWEL_AND_I.test(stem)) return stem;
  const found = ENDINGS.find(
    ([ending, fewest]) => stem.endsWith(ending) && stem.length - ending.length >= fewest,
  );
  if (found === undefined) return stem;
  const rest = stem.slice(0, -found[0].length);
  return rest.length > MANY_LETTERS ? rest.replace(DOUBLED, '$1') : rest;
};

/** Porter writes "employ" with an i and "employment" with a y; "pregnancy" and "pregnant" part in their last letter. */
const shorten = (stem: string): string => {
  if (!/^[a-z]+$/.test(stem) || WHOLE.has(stem)) return stem;
  return withoutEnding(stem.replace(/nci?$/, 'nt')).replace(/y$/, 'i');
};

const findRoot = (stem: string): string => {
  families ??= readFamilies();
  return families.get(stem) ?? shorten(stem);
};

const ROOTS_KEPT = 32_768;
const remembered = createMemo<string>(ROOTS_KEPT);

/** The root of a stem of the keyword index. */
export const rootOf = (stem: string): string => remembered(stem, () => findRoot(stem));

/** The roots of a text's words in order, without stop words. */
export const rootsOf = (text: string): string[] => analyse(text).map(rootOf);
