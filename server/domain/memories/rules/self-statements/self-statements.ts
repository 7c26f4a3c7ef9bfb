// Explicit statements about oneself in languages without a grammar of their own: the verb changes to the third person and the
// speaker's name takes the place of "I". A sentence that cannot be turned so is kept in the speaker's words, behind the name.
import type { ReadSource, Utterance } from '../../../../adapters/language-model/ports/memory-reader.ts';
import { areEnglishWords } from '../../../../lib/text/language/parts-of-speech.ts';
import { COMMON_ABBREVIATIONS } from '../../../../lib/text/sentences/sentence-marks.ts';
import { splitSentences } from '../../../../lib/text/sentences/split-sentences.ts';
import type { Interpreter, Language, RuleStatement } from '../language.ts';
import { chineseTalk } from './chinese.ts';
import { german } from './german.ts';
import { factsToldBy, isStrong, isWorthOfNamed, likeliest, tiesTold } from './grammar/sentence.ts';
import { thingFactIn } from './grammar/things.ts';
import type { SelfLanguage, SelfVerb } from './grammar/verbs.ts';
import { formOfNote, isConcreteSentence, isOwnSentence, type SpokenForm } from './kept-sentences.ts';
import { LANGUAGES, wordsOf } from './languages.ts';
import { createReferents } from './referred.ts';

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

const verbFrom = (
  words: readonly string[],
  start: number,
  language: SelfLanguage,
): Omit<Said, 'lead'> | null => {
  let at = start;
  while (language.between.has(bare(words[at] ?? ''))) at++;
  const word = words[at] ?? '';
  const verb = at > 0 && /^\p{Lu}/u.test(word) ? undefined : language.verbs.get(bare(word));
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

/** A statement in the words of the speaker, and the name without a tie that it is about. */
interface Drawn {
  readonly memory: string;
  readonly name: string | null;
}

const isSaidToSomebody = (plain: string, language: SelfLanguage): boolean =>
  QUESTION.test(plain) ||
  [CONDITIONAL, language.address, language.courtesy, language.request].some((form) => form.test(plain));

/** "Wir sind umgezogen", "Die Heizung läuft wieder": no word in it has to be concrete. */
const changeIn = (sentence: string, { name, form }: Teller, language: SelfLanguage): string | null => {
  const plain = sentence
    .replace(OPENER, '')
    .replace(LIST_MARK, '')
    .replace(/[.!\s]+$/u, '');
  if (isSaidToSomebody(plain, language)) return null;
  const told = factsToldBy({ owner: 'user', said: plain, isAbout: false }, language);
  if (!told.some((one) => one.name === null && isStrong(one))) return null;
  return form === 'lines' && !isOwnSentence(plain, language) ? plain : `${name ?? language.user}: ${plain}`;
};

/** "Max spielt jetzt Judo": of somebody who may have been named before. */
const namedIn = (plain: string, { name }: Teller, language: SelfLanguage): Drawn | null => {
  if (isSaidToSomebody(plain, language)) return null;
  const [first] = factsToldBy({ owner: 'user', said: plain, isAbout: false }, language);
  if (!first || first.name === null || !isWorthOfNamed(first)) return null;
  return { memory: `${name ?? language.user}: ${plain}`, name: first.name };
};

const statementIn = (sentence: string, { name, form }: Teller, language: SelfLanguage): string | null => {
  const told = sentence.replace(OPENER, '').replace(LIST_MARK, '');
  const plain = told.replace(/[.!\s]+$/u, '');
  if (QUESTION.test(plain) || CONDITIONAL.test(plain)) return null;
  const who = name ?? language.user;
  // "Le galline sono otto" is not "I am".
  if (thingFactIn(plain, language) !== null) return changeIn(sentence, { name, form }, language);
  const keptAs = (words: string): string =>
    form === 'lines' && !isOwnSentence(words, language) ? words : `${who}: ${words}`;
  if (language.relatives.test(plain)) return `${who}: ${plain}`;
  const said = selfStatementIn(plain, language);
  if (!said) return isConcreteSentence(told, form, language) ? keptAs(plain) : null;
  if (isVague(said, language)) return null;
  if (language.own.test(`${said.lead.join(' ')} ${said.rest}`)) return `${who}: ${plain}`;
  return thirdPerson(said, who, language);
};

const formOf = ({ conversation }: ReadSource, { speaker, role, text }: Utterance): SpokenForm => {
  if (speaker !== null) return 'talk';
  return conversation || role !== null ? 'orders' : formOfNote(text);
};

const open = (
  source: ReadSource,
  statementsIn: (teller: Teller) => (sentence: string) => readonly Drawn[],
): Interpreter => ({
  withdrawn: new Set(),
  *hear() {},
  *statements(utterance) {
    const found: RuleStatement[] = [];
    if (utterance.role !== null && utterance.role !== 'user') return found;
    const statementsOf = statementsIn({ name: utterance.speaker, form: formOf(source, utterance) });
    for (const said of splitSentences(utterance.text, ABBREVIATIONS)) {
      for (const { memory, name } of statementsOf(said))
        found.push({
          memory,
          ...(name === null ? {} : { bearer: name }),
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

/** The statements of one message after the other: a sentence may mean whom the one before named. */
const talkBy = (
  language: SelfLanguage,
  teller: Teller,
  known: Set<string>,
): ((sentence: string) => Drawn[]) => {
  const referents = createReferents(language);
  return (said) => {
    const sentence = said.replace(OPENER, '');
    const plain = sentence.replace(LIST_MARK, '').replace(/[.!\s]+$/u, '');
    const resolved = QUESTION.test(plain) ? null : referents.resolve(plain);
    // "Er heißt Rex": the name is known from here on.
    referents.note(resolved ?? plain);
    for (const { name } of tiesTold({ owner: 'user', said: plain, isAbout: false })) known.add(name);
    if (resolved !== null) return [{ memory: `${teller.name ?? language.user}: ${resolved}`, name: null }];
    const named = namedIn(plain, teller, language);
    if (named?.name && known.has(named.name)) return [{ ...named, name: null }];
    const drawn = clausesIn(sentence, language).flatMap((clause) => {
      const memory = statementIn(clause, teller, language) ?? changeIn(clause, teller, language);
      return memory === null ? [] : [{ memory, name: null }];
    });
    return drawn.length === 0 && named ? [named] : drawn;
  };
};

export const selfStatements: readonly Language[] = [
  ...LANGUAGES.map((language) => ({
    name: language.code,
    open: (source: ReadSource) => {
      const known = new Set<string>();
      return open(source, (teller) => talkBy(language, teller, known));
    },
  })),
  {
    name: 'zh',
    open: (source) => open(source, ({ name }) => chineseTalk(name)),
  },
];

/** A text of more than six words is told by its letters. */
const SHORT = /^\S+(?:\s+\S+){0,5}$/;
/** First persons that are also names or words of English. */
const ALSO_ENGLISH = /^(?:como|porto|uso|leo|amo)$/;

const beginsAsSelf = (text: string, language: SelfLanguage): boolean => {
  const [first = '', second = '', ...others] = wordsOf(text).map(bare);
  if (second === '') return false;
  if (language.pronouns.has(first)) return language.verbs.has(second);
  const { forms } = language.told;
  const isOurs = (word: string): boolean => forms.get(word)?.some(({ person }) => person === 'we') === true;
  if (language.told.weWords.test(first)) return isOurs(second);
  if (!language.needsPronoun && first.length > 4 && isOurs(first)) return true;
  if (language.needsPronoun || first.length < 3 || !language.verbs.has(first)) return false;
  return !ALSO_ENGLISH.test(first) && !areEnglishWords([second, ...others].join(' '));
};

/** Languages for which a few words of these are taken. */
const NEAR = new Set(['ca', 'gl', 'ro', 'oc', 'eu', 'la', 'nl', 'da', 'sv', 'no', 'pl', 'hu', 'fi']);

/** "La cuota es de 20 euros" has the letters of Catalan: its words of grammar and its verb are Spanish. */
const nearTo = (text: string): SelfLanguage | undefined => {
  const said = text.replace(/[.!\s]+$/u, '');
  const [language] = likeliest(said, LANGUAGES);
  if (!language) return undefined;
  const [first] = wordsOf(said).map(bare);
  const isOwn = !language.needsPronoun && SHORT.test(said) && language.verbs.has(first ?? '');
  const isTold = factsToldBy({ owner: 'user', said, isAbout: false }, language).some(isStrong);
  return isOwn || isTold ? language : undefined;
};

/**
 * The language of a short text that begins as a statement about oneself; undefined where none of these is told by it. The test
 * of languages takes "Sono nato a Crotone" for English and "Ich bin in Bozen geboren" for Dutch. German alone is also told
 * against another language: its "ich" and "mein" stand in no other, as the verbs without a pronoun do.
 */
export const languageOfShortStatement = (text: string, detected: string): string | undefined => {
  const plain = text.trim();
  if (SHORT.test(plain)) {
    const asked = detected === 'en' ? LANGUAGES : [german];
    const found = asked.find(
      (language) => beginsAsSelf(plain, language) || (language === german && german.relatives.test(plain)),
    );
    if (found) return found.code;
  }
  return NEAR.has(detected) ? nearTo(plain)?.code : undefined;
};
