// Orders lasting facts by what a reader has to know first: the name, then home, work, people, health, diet, languages, tastes.
import { once } from '../../lib/once.ts';
import { statesAttribute } from '../../lib/text/attributes.ts';
import { readSubject, type WhomItIsAbout } from '../../lib/text/statement-subject.ts';
import { rootsOf } from '../../lib/text/terms/derivations.ts';

const TELLS_NAME = /(?:^the user| name) (?:is called|is named|goes by|is known as)\b|\bname is\b/iu;
const NAME = 0;

/** Words that ask for the attributes of each field, the most important field first. */
const FIELDS = [
  'home origin',
  'work education',
  'family marriage pet',
  'health allergy medication',
  'diet',
  'language',
  'like dislike',
];
const rootsOfFields = once(() => FIELDS.map(rootsOf));
const PEOPLE = 3;
const OTHER_FIELDS = 1 + FIELDS.length;
const SOMEBODY_ELSE = OTHER_FIELDS + 1;

const placeOfField = (statement: string): number => {
  const place = rootsOfFields().findIndex((roots) => roots.some((root) => statesAttribute(root, statement)));
  return place < 0 ? OTHER_FIELDS : 1 + place;
};

/** The person whom it is about, without those who belong to this person. */
const ownerOf = ({ isUser, owner, names }: WhomItIsAbout): string | null =>
  isUser ? 'user' : (owner ?? names[0] ?? null);

const mostFrequent = (keys: readonly (string | null)[]): string | null => {
  const counts = new Map<string, number>();
  for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].reduce<[string | null, number]>(
    (most, one) => (one[1] > most[1] ? one : most),
    [null, 0],
  )[0];
};

/** The places of statements in the order of importance, the same for those of one field. */
export const importanceOf = (statements: readonly string[]): number[] => {
  const subjects = statements.map(readSubject);
  const owners = subjects.map(ownerOf);
  const main = mostFrequent(owners);
  return statements.map((statement, at) => {
    if (TELLS_NAME.test(statement)) return NAME;
    const owner = owners[at] ?? null;
    if (owner !== null && owner !== main) return SOMEBODY_ELSE;
    return subjects[at]?.tie ? PEOPLE : placeOfField(statement);
  });
};
