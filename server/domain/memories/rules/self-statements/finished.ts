// Reads finished statements of these languages: the attribute, what they change, and the person that they are about.
import { ruleTerms } from '../english/grammar/terms.ts';
import { type Alias, NO_CHANGE, NO_FACT, type RuleFact } from '../language.ts';
import { chineseFact, USER } from './chinese.ts';
import { chineseAliases, chineseChanges } from './chinese-changes.ts';
import { aliasesOfTies } from './grammar/people.ts';
import { factsToldBy, likeliest, tiesTold, toldIn, withTold } from './grammar/sentence.ts';
import { type Somebody, somebodyIn } from './grammar/somebody.ts';
import type { Attribute, SelfLanguage, SelfVerb } from './grammar/verbs.ts';
import { LANGUAGES, wordsOf } from './languages.ts';

const USERS = new Set([...LANGUAGES.map(({ user }) => user.toLowerCase()), USER, 'the user']);
const USER_LABEL = new RegExp(`^(?:${[...LANGUAGES.map(({ user }) => user), USER].join('|')})(?=:? )`, 'u');

const subjectKey = (subject: string): string => {
  const somebody = somebodyToldOf(subject);
  if (somebody) return somebody.key;
  const [owner = '', of] = subject
    .replace(/^用户：/u, '')
    .toLowerCase()
    .split(': ');
  const key = USERS.has(owner) ? 'user' : owner;
  return of === undefined ? key : `${key}.${of}`;
};

const factBy = (subject: string, verb: SelfVerb, rest: string, language: SelfLanguage): RuleFact | null => {
  let attribute: Attribute = verb;
  const told = rest.replace(/^no /, '');
  let value = told.replace(language.before, '');
  for (const [pattern, being] of verb.slot === null ? language.being : []) {
    const match = pattern.exec(told);
    if (!match) continue;
    attribute = being;
    value = match.groups?.value ?? rest;
    break;
  }
  const terms = ruleTerms(
    value.split(
      /[,;]| (?:und|y|et|e|und|aber|pero|mais|ma|mas|als|como|comme|come|mit|con|avec|com|seit|desde|depuis|da) /u,
    )[0] ?? '',
  );
  if (attribute.slot === null || terms.length === 0) return null;
  const denied = (attribute.denies === true) !== (rest !== told || language.negations.test(rest));
  return {
    ...NO_CHANGE,
    slot: `${subjectKey(subject)}/${attribute.slot}${attribute.isEach ? `:${terms.join(' ')}` : ''}`,
    about: null,
    introduces: false,
    standing: 'holds',
    oneValue: true,
    value: attribute.isEach ? [denied ? 'no' : 'yes'] : terms,
    detail: ruleTerms(rest),
    isStatic: true,
  };
};

const thirds = new Map(
  LANGUAGES.map((language) => [
    language,
    new Map([...language.verbs.values()].map((verb) => [verb.third, verb])),
  ]),
);
/** A statement in English, of which a word may look like a verb of another language. */
const ENGLISH = /\b(?:the|and|their|his|her|is|was|has|of|to|an|with|for|at|on|by)\b/;

const FURTHEST = 6;

/** "Otto wohnt in Graz": the fact of a finished statement. */
const factIn = (words: readonly string[], language: SelfLanguage): RuleFact | null => {
  for (let at = 1; at <= Math.min(FURTHEST, words.length - 1); at++) {
    const verb = thirds.get(language)?.get(words[at] ?? '');
    if (!verb) continue;
    const inner = new Set([...language.between.values(), 'A', 'le', 'no', 'non']);
    const subject = words.slice(0, at).filter((word) => !inner.has(word));
    const negated = words.slice(0, at).some((word) => language.negations.test(word));
    // "Nora owns a boat": French "a" is no verb there.
    if (
      !subject.join(' ').includes(':') &&
      !subject.every((word) => /^\p{Lu}|^(?:utilisateur|utente|usuario|utilizador)$/u.test(word))
    )
      continue;
    const fact = factBy(
      subject.join(' '),
      verb,
      `${negated ? 'no ' : ''}${words.slice(at + 1).join(' ')}`,
      language,
    );
    if (fact) return fact;
  }
  return null;
};

const chinese = (memory: string): RuleFact | null => {
  const found = chineseFact(memory);
  if (!found) return null;
  const terms = (value: readonly string[]): string[] => value.flatMap((one) => ruleTerms(one));
  return {
    ...NO_CHANGE,
    slot: `${subjectKey(found.subject)}/${found.fact.slot}`,
    about: null,
    introduces: false,
    standing: 'holds',
    oneValue: true,
    value: terms(found.fact.value),
    detail: terms(found.fact.value),
    isStatic: true,
  };
};

/** The fact of a finished statement in one of these languages. */
const slotFactOf = (memory: string): RuleFact | null => {
  if (ENGLISH.test(memory)) return chinese(memory);
  const words = wordsOf(memory);
  for (const language of LANGUAGES) {
    const fact = factIn(words, language);
    if (fact) return fact;
  }
  return chinese(memory);
};

const HAN = /\p{Script=Han}/u;

const toldFactOf = (memory: string): RuleFact | null => {
  if (HAN.test(memory)) return joined(chineseChanges(memory));
  const told = toldIn(memory, USER_LABEL);
  const ofLabel = LANGUAGES.filter(({ user }) => memory.startsWith(user));
  const languages = ofLabel.length === 1 || ENGLISH.test(memory) ? ofLabel : likeliest(memory, LANGUAGES);
  for (const language of languages) {
    const fact = joined(factsToldBy(told, language).map((one) => one.fact));
    if (fact) return fact;
  }
  return null;
};

/** The first fact, with those of the further clauses. */
const joined = ([main, ...more]: readonly RuleFact[]): RuleFact | null => (main ? { ...main, more } : null);

/** `read`: by the names and numbers alone, where no table of a language has its verb. */
export const selfFactOf = (memory: string, read: () => RuleFact | null): RuleFact | null => {
  const slotted = slotFactOf(memory);
  const told = toldFactOf(memory);
  if (!told) return slotted ?? read();
  if (!slotted) return withTold(read() ?? NO_FACT, told);
  if (told.slot !== null && told.slot !== slotted.slot) return { ...slotted, more: [told, ...told.more] };
  const { slot, value, oneValue } = slotted;
  return { ...told, slot, value, oneValue, isStatic: true, standing: 'holds', sketch: null };
};

/** Names that a statement gives to relatives and animals of its speaker. */
export const tiesToldIn = (memory: string): Alias[] =>
  HAN.test(memory) ? chineseAliases(memory) : aliasesOfTies(tiesTold(toldIn(memory, USER_LABEL)));

/** The person that a sentence in one of these languages is about, where that is somebody else than the speaker. */
export const somebodyToldOf = (memory: string): Somebody | null =>
  somebodyIn(memory, (label) => (USERS.has(label.toLowerCase()) ? 'The user' : label));

/** "El usuario: tenemos una perra" is about the user, in a sentence of which English reads the names and numbers alone. */
export const withEnglishUser = (memory: string): string => memory.replace(USER_LABEL, 'The user');
