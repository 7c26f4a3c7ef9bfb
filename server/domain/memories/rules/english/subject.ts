// The subject of a statement as keys that do not depend on the wording: "Anna's brother Jim" → jim.
import type { Alias } from '../language.ts';
import { isEverydayNoun } from './grammar/mention.ts';
import { isNameWord, isOrganisation } from './grammar/names.ts';
import { isPersonNoun, isPetNoun } from './grammar/people.ts';
import { termKey } from './grammar/terms.ts';
import { DETERMINERS, tokensOf } from './grammar/words.ts';

export interface Subject {
  readonly key: string;
  /** True if the subject may have a home, a job, a taste. */
  readonly isPerson: boolean;
  /** The owner's key if the subject is "Anna's …". */
  readonly owner: string | null;
  /** The owned thing in its own words, without "new" and similar words: "favourite colour". */
  readonly noun: string | null;
  /** The last word of the owned thing: "colour". */
  readonly head: string | null;
  /** "anna/dog". */
  readonly about: string | null;
  readonly alias: Alias | null;
}

const PLAIN_ADJECTIVES =
  /^(?:new|current|own|present|latest|very|dear|beloved|little|old|elder|older|younger|big|lovely|sweet)\s+/i;
const FORMER = /\b(?:old|former|ex|previous|late)\b/i;

const withoutPlainAdjectives = (noun: string): string => {
  let rest = noun.trim().replace(/ (?:of all time|of mine|at the moment|right now|so far)$/i, '');
  for (let cut = rest.replace(PLAIN_ADJECTIVES, ''); cut !== rest; cut = rest.replace(PLAIN_ADJECTIVES, ''))
    rest = cut;
  return rest;
};

const nobodysKey = (text: string): string => termKey(text) || text.toLowerCase();

const person = (key: string, alias: Alias | null = null): Subject => ({
  key,
  isPerson: true,
  owner: null,
  noun: null,
  head: null,
  about: null,
  alias,
});

const isSomebodyNoun = (noun: string): boolean => isPersonNoun(noun) || isPetNoun(noun);

/** The words after "Anna's": a noun, and perhaps a person's name. */
const owned = (owner: string, phrase: string): Subject => {
  const words = tokensOf(phrase);
  const firstName = words.findIndex(({ word }, at) => at > 0 && isNameWord(word));
  const namesSomebody = firstName > 0 && isSomebodyNoun(words[firstName - 1]?.lower ?? '');
  const nounWords =
    namesSomebody && words.slice(firstName).every(({ word }) => isNameWord(word))
      ? words.slice(0, firstName)
      : words;
  const name = words
    .slice(nounWords.length)
    .map(({ lower }) => lower)
    .join(' ');
  const noun = withoutPlainAdjectives(nounWords.map(({ word }) => word).join(' '));
  // "Anna's flight to Seoul" is a flight.
  const bare = noun.split(/\s(?:of|to|in|at|on|for|from|with|about)\s/i)[0] ?? noun;
  const head = tokensOf(bare).at(-1)?.lower ?? bare.toLowerCase();
  const isSomebody = isSomebodyNoun(head);
  const former = FORMER.test(phrase) && !isSomebody ? 'former ' : '';
  const ownKey = `${owner}.${former}${termKey(noun)}`;
  const isNamed = name !== '' && isSomebody;
  return {
    key: isNamed ? name : ownKey,
    isPerson: isSomebody,
    owner,
    noun: former + noun,
    head,
    about: `${owner}/${termKey(head)}`,
    alias: isNamed ? [name, `${owner}.${termKey(head)}`] : null,
  };
};

/** "Networking" at the beginning of a sentence is not a person. */
const GERUND = /^\p{Lu}\p{Ll}{2,}ing$/u;

const POSSESSIVE = /^(?<owner>.+?)['’]s?\s(?<phrase>.+)$/;

/** "Dr. Lindgren", "Uncle Thaddeus": the title is no part of the name. */
const TITLE =
  /^(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Sir|Lady|Uncle|Aunt|Auntie|Frau|Herr|Madame|Nurse)\.? (?=\p{Lu})/u;

/** The keys of a statement's subject. */
export const subjectOf = (text: string): Subject => {
  const words = text
    .trim()
    .replace(/\sand others$/i, '')
    .replace(TITLE, '');
  if (/^(?:the )?user$/i.test(words)) return person('user');
  const joined = words.lastIndexOf(' and ');
  if (joined > 0) {
    const last = subjectOf(words.slice(joined + 5));
    return last.isPerson ? { ...last, alias: null } : { ...last, key: nobodysKey(words), about: null };
  }
  const own = POSSESSIVE.exec(words)?.groups;
  // Of "Anna's sister's car" the car belongs to the sister.
  const cut = words.search(/['’]s?\s(?!.*['’]s?\s)/);
  if (own && cut > 0)
    return owned(subjectOf(words.slice(0, cut)).key, words.slice(cut).replace(/^['’]s?\s/, ''));
  const tokens = tokensOf(words);
  if (
    tokens.length > 0 &&
    tokens.length <= 3 &&
    tokens.every(({ word }) => isNameWord(word)) &&
    !isOrganisation(words) &&
    !GERUND.test(words) &&
    !isEverydayNoun(words)
  )
    return person(words.toLowerCase());
  const named = DETERMINERS.has(tokens[0]?.lower ?? '') ? words.slice(tokens[1]?.start ?? 0) : words;
  const head =
    tokensOf(named.split(/\s(?:of|to|in|at|on|for|from|with|about)\s/i)[0] ?? named).at(-1)?.lower ?? null;
  return {
    key: nobodysKey(withoutPlainAdjectives(named)),
    isPerson: false,
    owner: null,
    noun: withoutPlainAdjectives(named),
    head,
    about: null,
    alias: null,
  };
};
