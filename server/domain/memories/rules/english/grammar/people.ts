// Nouns for people and animals: "she" can mean them, and they can have a home, a job and a taste.
import { wordSet } from './words.ts';

/** `none`: a thing that no "he" or "she" means. */
export type Gender = 'she' | 'he' | 'any' | 'none';

const SHE = wordSet(
  'mother mom mum mommy mama sister daughter wife girlfriend grandmother grandma granny gran nan nana nanna mam mummy aunt auntie niece fiancée bride stepmother stepmom stepsister stepdaughter mother-in-law sister-in-law daughter-in-law godmother woman girl lady queen',
);
const HE = wordSet(
  'father dad daddy papa brother son husband boyfriend grandfather grandpa granddad grandad uncle nephew groom stepfather stepdad stepbrother stepson father-in-law brother-in-law son-in-law godfather man boy guy king',
);
const ANY = wordSet(`
  friend bestie colleague coworker co-worker boss manager supervisor mentor teacher tutor coach trainer therapist doctor
  dentist lawyer accountant neighbor neighbour roommate flatmate housemate landlord landlady partner spouse fiance fiancé
  cousin sibling parent grandparent child kid baby toddler teenager twin relative student classmate teammate client
  customer assistant secretary intern employee employer professor advisor nanny babysitter buddy pal ex ex-wife ex-husband
  ex-boyfriend ex-girlfriend date godchild grandson granddaughter grandchild stepchild person stranger vet nurse`);
const PETS = wordSet(
  'dog cat puppy kitten pup pet hamster parrot rabbit bunny horse pony bird fish goldfish turtle tortoise snake lizard gecko guinea-pig ferret chicken cow goat sheep pig labrador poodle retriever terrier beagle bulldog dachshund husky',
);
/** Plural nouns, referred to as "they". */
const MANY = wordSet(
  'parents grandparents kids children friends siblings brothers sisters cousins twins colleagues neighbors neighbours sons daughters relatives family team folks',
);

/** Nouns that say no more than that there is somebody. */
export const STRANGERS = wordSet('woman girl lady man boy guy lad child kid baby person stranger');

export const PARTNERS: Readonly<Record<string, string>> = {
  wife: 'married',
  husband: 'married',
  spouse: 'married',
  fiance: 'engaged',
  fiancé: 'engaged',
  fiancée: 'engaged',
  girlfriend: 'dating',
  boyfriend: 'dating',
  partner: 'dating',
};

const singular = (noun: string): string => noun.replace(/(?<=[a-z]{2})s$/, '');

const holdsNoun = (nouns: ReadonlySet<string>, noun: string): boolean => {
  const lower = noun.toLowerCase();
  return nouns.has(lower) || (lower.endsWith('s') && nouns.has(singular(lower)));
};

const PEOPLE: ReadonlySet<string> = new Set([...SHE, ...HE, ...ANY, ...MANY]);
export const isPersonNoun = (noun: string): boolean => holdsNoun(PEOPLE, noun);
/** Anna may have several brothers, friends and dogs. */
export const isOneOfSeveral = (noun: string): boolean =>
  isPetNoun(noun) ||
  /^(?:friend|brother|sister|sibling|cousin|son|daughter|child|kid|twin|uncle|aunt|niece|nephew|grand\p{L}+|neighbou?r|colleague|cowork\p{L}+|teammate|roommate|flatmate|student|client|customer|relative)s?$/u.test(
    noun,
  );
export const isPetNoun = (noun: string): boolean => holdsNoun(PETS, noun);
export const isManyNoun = (noun: string): boolean => MANY.has(noun.toLowerCase());
/** "Dogs", "nieces" and "family": no single person or animal. */
export const meansSeveral = (noun: string): boolean =>
  isManyNoun(noun) || !(PEOPLE.has(noun.toLowerCase()) || PETS.has(noun.toLowerCase()));

export const genderOf = (noun: string): Gender => {
  const lower = noun.toLowerCase();
  if (SHE.has(lower)) return 'she';
  return HE.has(lower) ? 'he' : 'any';
};
