// Joins the words of one family: allergy and allergic, marry and marriage, buy and bought. The keyword index keeps Porter's
// stems, which part them; a comparison of two short texts in full uses their roots instead.
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

/** Forms that no ending shows: of irregular verbs, and of a few nouns that belong to a verb. */
const IRREGULAR = `
begin began begun|bear born birth|break broke broken|bring brought|build built|buy bought purchase|catch caught|choose chose
chosen choice|come came|die died dead death|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell
fallen|feel felt|fight fought|find found|fly flew flown flight|forget forgot forgotten|get got gotten|give gave given|go
went gone|grow grew grown growth|hear heard|hide hid hidden|hold held|keep kept|know knew known knowledge|leave left|lend
lent|lose lost loss|marry marriage|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see
saw seen|sell sold sale|send sent|sing sang sung song|sit sat|sleep slept|speak spoke spoken speech|spend spent|stand
stood|steal stole stolen|swim swam swum|take took taken|teach taught|tell told|think thought|throw threw thrown|wear wore
worn|weigh weight|win won|write wrote written|child children|wife wives|person people|colour color|favourite
favorite|film movie|holiday vacation|car automobile|bicycle bike|telephone phone|surgery surgical surgeon|italy italian|piano
pianist|asthma asthmatic
`;

const readFamilies = (): Map<string, string> => {
  const roots = new Map<string, string>();
  for (const family of IRREGULAR.trim().split('|')) {
    const stems = analyse(family);
    for (const stem of stems) roots.set(stem, stems[0] ?? stem);
  }
  return roots;
};

let families: Map<string, string> | undefined;

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

/** The root of a stem of the keyword index. */
export const rootOf = (stem: string): string => {
  families ??= readFamilies();
  return families.get(stem) ?? shorten(stem);
};

/** The roots of a text's words in order, without stop words. */
export const rootsOf = (text: string): string[] => analyse(text).map(rootOf);
