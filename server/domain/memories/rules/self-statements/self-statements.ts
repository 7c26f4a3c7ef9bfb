// Explicit statements about oneself in languages without a grammar of their own: the verb changes to the third person and the
// speaker's name takes the place of "I". A sentence that cannot be turned so is kept in the speaker's words, behind the name.
import type { ReadSource, Utterance } from '../../../../adapters/language-model/ports/memory-reader.ts';
import { areEnglishWords } from '../../../../lib/text/language/parts-of-speech.ts';
import { COMMON_ABBREVIATIONS } from '../../../../lib/text/sentences/sentence-marks.ts';
import { splitSentences } from '../../../../lib/text/sentences/split-sentences.ts';
import { ruleTerms } from '../english/grammar/terms.ts';
import { subjectOf } from '../english/subject.ts';
import {
  type Interpreter,
  type Language,
  NO_CHANGE,
  type RuleFact,
  type RuleStatement,
} from '../language.ts';
import { chineseFact, chineseTalk, USER } from './chinese.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { formOfNote, isConcreteSentence, isOwnSentence, type SpokenForm } from './kept-sentences.ts';
import { portuguese } from './portuguese.ts';
import { createReferents } from './referred.ts';
import { type Somebody, somebodyIn } from './somebody.ts';
import { spanish } from './spanish.ts';
import type { Attribute, SelfLanguage, SelfVerb } from './verbs.ts';

const LANGUAGES: readonly SelfLanguage[] = [german, spanish, french, italian, portuguese];
const USERS = new Set([...LANGUAGES.map(({ user }) => user.toLowerCase()), USER, 'the user']);
const USER_LABEL = new RegExp(`^(?:${[...LANGUAGES.map(({ user }) => user), USER].join('|')})(?=:? )`, 'u');
const QUESTION = /[?？]["'”»)\]]*$/u;
/** A greeting and words that only lead to the statement. */
const OPENER =
  /^(?:(?:hallo|hi|hey|hola|buenas|bonjour|salut|ciao|ol[áa]|oi|buongiorno|guten (?:tag|morgen)|also|ja|sí|oui|sim|sì|übrigens|por cierto|au fait|comunque|aliás)(?: zusammen| a todos| tutti)?(?: q(?:ué|ue)? tal| ça va| tudo bem| come va)?[,.!:…]*\s+)+/iu;
const CONDITIONAL = /^(?:wenn|falls|ob|si|cuando|quand|lorsque|se|quando|dass|que|che|als)\s/i;
const LIST_MARK = /^(?:[-*•–]|\d{1,2}[.)])\s+/u;
const LONGEST_LEAD = 5;
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  ...COMMON_ABBREVIATIONS,
  ...'fr hr ca bzw nr str sra srta dra mme mlle dott ing sig avv'.split(' '),
]);

interface Said {
  readonly lead: readonly string[];
  readonly between: readonly string[];
  readonly verb: SelfVerb;
  readonly rest: string;
}

const bare = (word: string): string => word.toLowerCase().replace(/[,.!;:]+$/, '');

/** French writes "j'habite" and "m'appelle" as one word. */
const wordsOf = (sentence: string): string[] =>
  sentence.replace(/\b([jJmMnNsS])['’](?=\p{L})/gu, "$1' ").split(/\s+/);

const verbFrom = (
  words: readonly string[],
  start: number,
  language: SelfLanguage,
): Omit<Said, 'lead'> | null => {
  let at = start;
  while (language.between.has(bare(words[at] ?? ''))) at++;
  const verb = language.verbs.get(bare(words[at] ?? ''));
  if (!verb) return null;
  return { between: words.slice(start, at), verb, rest: words.slice(at + 1).join(' ') };
};

const selfStatementIn = (sentence: string, language: SelfLanguage): Said | null => {
  const words = wordsOf(sentence);
  for (let at = 0; at <= Math.min(LONGEST_LEAD, words.length - 1); at++) {
    const lead = words.slice(0, at);
    const isPronoun = language.pronouns.has(bare(words[at] ?? ''));
    const found =
      isPronoun || !language.needsPronoun ? verbFrom(words, isPronoun ? at + 1 : at, language) : null;
    if (found) return { lead, ...found };
    // "Seit 2019 wohne ich in Graz".
    const verb = at > 0 ? language.verbs.get(bare(words[at] ?? '')) : undefined;
    if (verb && language.pronouns.has(bare(words[at + 1] ?? '')))
      return { lead, between: [], verb, rest: words.slice(at + 2).join(' ') };
  }
  return null;
};

const isVague = ({ rest, verb }: Said, language: SelfLanguage): boolean =>
  rest === '' ? verb.slot === null : language.vague.test(rest);

const joined = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(/(?<=\b[jmns]') /giu, '');

/** Verbs whose subject is the thing: "me gusta el café" → "A Ana le gusta el café". */
const EXPERIENCES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['es', new Set(['gusta', 'gustan', 'encanta', 'encantan'])],
  ['it', new Set(['piace', 'piacciono'])],
]);

const experienced = (name: string, { between, verb }: Said, language: SelfLanguage): string[] => {
  const negation = between.some((word) => language.negations.test(word))
    ? [language.code === 'es' ? 'no' : 'non']
    : [];
  return ['A', name, ...negation, ...(language.code === 'es' ? ['le'] : []), verb.third];
};

const thirdPerson = (said: Said, name: string, language: SelfLanguage): string => {
  const between = said.between.map((word) => language.between.get(bare(word)) ?? word);
  const rest = said.rest.replace(/\bmich\b/g, 'sich');
  // "Seit 2019 lebe ich in Wien" → "Otto lebt seit 2019 in Wien".
  const lead = said.lead
    .join(' ')
    .replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
    .replace(/,$/, '');
  const parts =
    EXPERIENCES.get(language.code)?.has(said.verb.third) === true
      ? experienced(name, said, language)
      : [name, ...between, said.verb.third];
  return joined([...parts, lead, rest]).replace(/[.!\s]+$/u, '');
};

/** "Ich wohne in Graz und arbeite bei Siemens": each verb of the speaker begins a statement. */
const clausesIn = (sentence: string, language: SelfLanguage): string[] => {
  const [pronoun = ''] = language.pronouns;
  const pieces: string[] = [];
  for (const part of sentence.split(/,? (?:und|aber|y|e|et|pero|mais|ma|mas|però) |, /u)) {
    const words = wordsOf(part).map(bare);
    const [first = ''] = words;
    const starts = language.verbs.has(words.find((word) => !language.between.has(word)) ?? '');
    const isOwn = language.pronouns.has(first) || starts;
    if (pieces.length === 0) pieces.push(part);
    else if (isOwn) pieces.push(starts && language.needsPronoun ? `${pronoun} ${part}` : part);
    else return [sentence];
  }
  return pieces;
};

interface Teller {
  readonly name: string | null;
  readonly form: SpokenForm;
}

const statementIn = (sentence: string, { name, form }: Teller, language: SelfLanguage): string | null => {
  const told = sentence.replace(OPENER, '').replace(LIST_MARK, '');
  const plain = told.replace(/[.!\s]+$/u, '');
  if (QUESTION.test(plain) || CONDITIONAL.test(plain)) return null;
  const who = name ?? language.user;
  const keptAs = (words: string): string =>
    form === 'lines' && !isOwnSentence(words, language) ? words : `${who}: ${words}`;
  if (language.relatives.test(plain)) return `${who}: ${plain}`;
  const said = selfStatementIn(plain, language);
  if (!said) return isConcreteSentence(told, form, language) ? keptAs(plain) : null;
  if (isVague(said, language)) return null;
  if (language.own.test(`${said.lead.join(' ')} ${said.rest}`)) return `${who}: ${plain}`;
  return thirdPerson(said, who, language);
};

const subjectKey = (subject: string): string => {
  const somebody = somebodyToldOf(subject);
  if (somebody) return subjectOf(somebody.subject).key;
  const [owner = '', of] = subject.toLowerCase().split(': ');
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

const formOf = ({ conversation }: ReadSource, { speaker, role, text }: Utterance): SpokenForm => {
  if (speaker !== null) return 'talk';
  return conversation || role !== null ? 'orders' : formOfNote(text);
};

const open = (
  source: ReadSource,
  statementsIn: (teller: Teller) => (sentence: string) => string[],
): Interpreter => ({
  withdrawn: new Set(),
  *hear() {},
  *statements(utterance) {
    const found: RuleStatement[] = [];
    if (utterance.role !== null && utterance.role !== 'user') return found;
    const statementsOf = statementsIn({ name: utterance.speaker, form: formOf(source, utterance) });
    for (const said of splitSentences(utterance.text, ABBREVIATIONS)) {
      for (const memory of statementsOf(said))
        found.push({
          memory,
          said,
          position: utterance.position,
          saidAt: utterance.date ?? source.documentDate,
          daysFrom: null,
          eventDates: [],
          forgetAfter: null,
          corrects: [],
        });
      yield;
    }
    return found;
  },
});

/** The fact of a finished statement in one of these languages. */
export const selfFactOf = (memory: string): RuleFact | null => {
  if (ENGLISH.test(memory)) return chinese(memory);
  const words = wordsOf(memory);
  for (const language of LANGUAGES) {
    const fact = factIn(words, language);
    if (fact) return fact;
  }
  return chinese(memory);
};

/** The person that a sentence in one of these languages is about, where that is somebody else than the speaker. */
export const somebodyToldOf = (memory: string): Somebody | null =>
  somebodyIn(memory, (label) => (USERS.has(label.toLowerCase()) ? 'The user' : label));

/** "El usuario: tenemos una perra" is about the user, in a sentence of which English reads the names and numbers alone. */
export const withEnglishUser = (memory: string): string => memory.replace(USER_LABEL, 'The user');

/** The statements of one message after the other: a sentence may mean whom the one before named. */
const talkBy = (language: SelfLanguage, teller: Teller): ((sentence: string) => string[]) => {
  const referents = createReferents(language);
  return (said) => {
    const sentence = said.replace(OPENER, '');
    const plain = sentence.replace(LIST_MARK, '').replace(/[.!\s]+$/u, '');
    const resolved = QUESTION.test(plain) ? null : referents.resolve(plain);
    // "Er heißt Rex": the name is known from here on.
    referents.note(resolved ?? plain);
    if (resolved !== null) return [`${teller.name ?? language.user}: ${resolved}`];
    return clausesIn(sentence, language).flatMap((clause) => statementIn(clause, teller, language) ?? []);
  };
};

export const selfStatements: readonly Language[] = [
  ...LANGUAGES.map((language) => ({
    name: language.code,
    open: (source: ReadSource) => open(source, (teller) => talkBy(language, teller)),
  })),
  { name: 'zh', open: (source) => open(source, ({ name }) => chineseTalk(name)) },
];

/** A text of more than six words is told by its letters. */
const SHORT = /^\S+(?:\s+\S+){0,5}$/;
/** First persons that are also names or words of English. */
const ALSO_ENGLISH = /^(?:como|porto|uso|leo|amo)$/;

const beginsAsSelf = (text: string, language: SelfLanguage): boolean => {
  const [first = '', second = '', ...others] = wordsOf(text).map(bare);
  if (second === '') return false;
  if (language.pronouns.has(first)) return language.verbs.has(second);
  if (language.needsPronoun || first.length < 3 || !language.verbs.has(first)) return false;
  return !ALSO_ENGLISH.test(first) && !areEnglishWords([second, ...others].join(' '));
};

/**
 * The language of a short text that begins as a statement about oneself; undefined where none of these is told by it. The test
 * of languages takes "Sono nato a Crotone" for English and "Ich bin in Bozen geboren" for Dutch. German alone is also told
 * against another language: its "ich" and "mein" stand in no other, as the verbs without a pronoun do.
 */
export const languageOfShortStatement = (text: string, detected: string): string | undefined => {
  const plain = text.trim();
  if (!SHORT.test(plain)) return undefined;
  const asked = detected === 'en' ? LANGUAGES : [german];
  return asked.find(
    (language) => beginsAsSelf(plain, language) || (language === german && german.relatives.test(plain)),
  )?.code;
};
