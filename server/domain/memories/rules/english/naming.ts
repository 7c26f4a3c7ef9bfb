// The names that statements give to people and animals.
import type { Alias } from '../language.ts';
import { clauseOf } from './grammar/clause.ts';
import type { NamedThings } from './grammar/mentions.ts';
import { isManyNoun } from './grammar/people.ts';
import { headWord } from './grammar/terms.ts';
import { verbTokensOf } from './grammar/verbs.ts';
import { subjectOf } from './subject.ts';

const USERS_NAME =
  /^The user(?:'s (?:full |first )?name is| is (?:called|named)| goes by) (?:(?:Dr|Prof)\.? )?(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)(?=$|[.,;]| and )/u;
const OWNED_NAME =
  /^(?<owner>.+?['’]s? (?:[\p{L}-]+ ){0,2}[\p{L}-]+) (?:is|are) (?:called|named) (?<name>\p{Lu}[\p{L}'’-]+)/u;
/** The user's name in instructions: "The user is Anna Berg, a nurse". */
const TOLD_NAME =
  /\b(?:the |this )?(?:user|person|customer|client)(?:'s name)? is (?:called |named )?(?<name>\p{Lu}\p{Ll}[\p{L}'’-]*(?: \p{Lu}\p{Ll}[\p{L}'’-]*)?)/u;

/** The user's name, if the statement gives it. */
export const userNameIn = (memory: string): string | null => USERS_NAME.exec(memory)?.groups?.name ?? null;

/** The name in the instructions for a whole tag; the first name is enough. */
export const toldName = (instructions: string): string | null =>
  TOLD_NAME.exec(instructions)?.groups?.name ?? null;

/** "Anna's brother Jim …": jim is anna.brother; "The user's name is Anna": anna is user. */
export const aliasesOf = (memory: string): Alias[] => {
  const name = userNameIn(memory);
  if (name !== null) {
    const [first = ''] = name.split(' ');
    return [name, first].map((form) => [form.toLowerCase(), 'user']);
  }
  const owned = OWNED_NAME.exec(memory)?.groups;
  if (owned?.name && owned.owner) return [[owned.name.toLowerCase(), subjectOf(owned.owner).key]];
  const clause = clauseOf(memory);
  const alias = clause ? subjectOf(clause.subject).alias : null;
  return alias ? [alias] : [];
};

/** Aliases of a person whose words alone are known: "Anna's brother Jim", or "Anna's brother", called Jim. */
export const aliasesOfPerson = ({
  subject,
  called,
}: {
  readonly subject: string;
  readonly called: string | null;
}): Alias[] => {
  const { key, alias } = subjectOf(subject);
  if (called !== null) return [[called.toLowerCase(), key]];
  return alias ? [alias] : [];
};

/** "a dog called Milo", "a cat, Miso". */
const NAMED_THING =
  /^(?:,? (?:called|named)|,)? (?<name>\p{Lu}[\p{L}'’-]+)(?=$|[.,;]| (?:and|who|since) )(?!,? and \p{Lu})/u;

/** The thing that a statement is about: "The user's car" in "The user's car is a red Skoda". */
const thingTold = (subject: string): string | null => {
  const { isPerson, owner, head } = subjectOf(subject);
  return !isPerson && !subject.includes(',') && owner !== null && head !== null && !isManyNoun(head)
    ? subject
    : null;
};

/** The meaning of "it" after "Anna adopted a puppy": "Anna's puppy". */
const thingIntroduced = (memory: string): string | null => {
  const clause = clauseOf(memory);
  if (!clause) return null;
  const { rest } = clause.verb;
  const head = headWord(rest);
  if (head === '') return null;
  // "a tasty and easy recipe"
  if (verbTokensOf(rest).find(({ lower }) => lower === head)?.pos === 'ADJ') return null;
  const { name } = NAMED_THING.exec(rest.slice(rest.toLowerCase().indexOf(head) + head.length))?.groups ?? {};
  return `${clause.subject.replace(/ and others$/, '')}'s ${head}${name === undefined ? '' : ` ${name}`}`;
};

/** The things that "it" may mean after a statement; `introduces`: the statement is the first about something. */
export const thingsNamed = (memory: string, introduces: boolean): NamedThings => {
  const clause = clauseOf(memory);
  return {
    told: clause && thingTold(clause.subject),
    introduced: introduces ? thingIntroduced(memory) : null,
  };
};
