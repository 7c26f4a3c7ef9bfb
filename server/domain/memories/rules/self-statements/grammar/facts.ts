// The facts of a sentence about the speaker, a relative or an animal: where they live now, what they ended, what they do.
import {
  FUNCTION_WORDS,
  type FunctionWordLanguage,
} from '../../../../../lib/text/language/function-words.ts';
import { ruleTerms } from '../../english/grammar/terms.ts';
import { ANYBODY, NO_FACT, type RuleFact } from '../../language.ts';
import { bareOf, clauseIn, firstNoun, rootOfTold, rootsTold, type ToldClause } from './clause.ts';
import type { Kind } from './forms.ts';
import { keyOfNamed, keyOfTie, nounOfTie, OWN, TITLE } from './somebody.ts';
import type { SelfLanguage } from './verbs.ts';

/** Stands for any work, so that "left the job" ends "works at a bank". Words are in small letters. */
const WORK = 'WORK';

interface Meant {
  readonly key: string;
  /** The name by which they alone are known in the sentence. */
  readonly name: string | null;
  /** "Mein Hund Rex": a name, with or without a tie. */
  readonly called: string | null;
}

export interface ToldFact {
  readonly fact: RuleFact;
  /** A person who is named without a tie, so that somebody else must have told whose they are. */
  readonly name: string | null;
  /** Null for a thing. */
  readonly kind: Kind | null;
}

const PRONOUN = /^(?:er|sie|es|él|ella|il|elle|lui|lei|ele|ela)$/iu;
const NAME =
  /^(?:(?:[OoAa]|[Ll]a|[Ii]l|[Ee]l|[Ll]e) )?(?<name>\p{Lu}\p{Ll}[\p{L}'’-]*(?: \p{Lu}\p{Ll}[\p{L}'’-]*)?)$/u;
const LONGEST_PHRASE = 3;

const tied = (words: string, owner: string): Meant | null => {
  const own = OWN.exec(words)?.[0];
  if (own === undefined) return null;
  const phrase = words.slice(own.length).split(/[\s,]+/);
  const at = phrase.slice(0, LONGEST_PHRASE).findIndex((word) => nounOfTie(word) !== undefined);
  const noun = nounOfTie(phrase[at] ?? '');
  const behind = phrase.slice(at + 1).filter((word) => word !== '');
  if (noun === undefined || behind.length > 2 || behind.some((word) => !/^\p{Lu}/u.test(word))) return null;
  const called = behind[0] ?? null;
  return { key: keyOfNamed(keyOfTie(owner, noun), called), name: null, called };
};

const isGrammatical = (name: string, code: string): boolean =>
  FUNCTION_WORDS[code as FunctionWordLanguage].has((name.split(' ')[0] ?? '').toLowerCase());

const meantBy = (words: string, owner: string, { code }: SelfLanguage): Meant | null => {
  const own = tied(words, owner);
  if (own) return own;
  const title = TITLE.exec(words)?.[0] ?? '';
  const bare = words.slice(title.length);
  const { name } = NAME.exec(bare)?.groups ?? {};
  // "Die Heizung" is written like a name.
  if (name === undefined || (code === 'de' && bare !== name) || isGrammatical(name, code)) return null;
  return { key: name.toLowerCase(), name, called: name };
};

const BOUNDARY =
  /^(?:und|y|e|et|mit|con|avec|com|seit|desde|depuis|da|weil|porque|parce|perché|wegen|por|pour|per)$/iu;
const TIME_WORD = /^(?:im|am|seit|en|el|le|lo|la|no|o|a|il|in|ab|desde|depuis|da)?$/iu;

/** The place behind "nach": "Nantes" of "à Nantes le mois dernier". */
const placeBehind = (rest: readonly string[], language: SelfLanguage): string => {
  const words = rest.map(bareOf);
  const isTo = (word: string): boolean => language.told.to.has(word);
  const last = language.code === 'de' ? words.lastIndexOf('nach') : -1;
  const start = last >= 0 ? last : words.findIndex(isTo);
  if (start < 0) return '';
  const behind = rest.slice(start + 1);
  const end = behind.findIndex((word, at) => at > 0 && BOUNDARY.test(bareOf(word)));
  const place = end < 0 ? behind : behind.slice(0, end);
  return firstNoun(place, language).join(' ');
};

/** Words in front of a value are cut; "in Bonn, im dritten Stock" is Bonn. */
const valueIn = (rest: readonly string[], language: SelfLanguage): string => {
  const said = rest.join(' ').replace(language.before, '');
  const words = (said.split(/[,;.]/)[0] ?? '').split(/\s+/);
  const end = words.findIndex((word, at) => at > 0 && (BOUNDARY.test(word) || language.told.now.test(word)));
  return (end < 0 ? words : words.slice(0, end)).filter((word) => !TIME_WORD.test(word)).join(' ');
};

interface Slotted {
  readonly slot: string;
  readonly value: readonly string[];
}

const being = (rest: readonly string[], language: SelfLanguage): Slotted | null => {
  const said = rest.join(' ').replace(/^(?:jetzt|nun|ahora|ora|adesso|agora|maintenant|désormais) /iu, '');
  for (const [pattern, { slot, isEach }] of language.being) {
    const value = pattern.exec(said)?.groups?.value;
    if (slot === null || value === undefined) continue;
    const terms = ruleTerms(value);
    return isEach ? { slot: `${slot}:${terms.join(' ')}`, value: ['yes'] } : { slot, value: terms };
  }
  return null;
};

const slotOf = ({ kind, isPast, rest, text }: ToldClause, language: SelfLanguage): Slotted | null => {
  const as = (slot: string, value: string): Slotted | null => {
    const terms = ruleTerms(value);
    return value === '' || terms.length === 0 ? null : { slot, value: terms };
  };
  if (kind === 'move') return as('home', placeBehind(rest, language));
  if (kind === 'become') return being(rest, language);
  if (isPast) return null;
  if (kind === 'live') return as('home', valueIn(rest, language));
  if (kind === 'be') return being(rest, language);
  if (kind !== 'work') return null;
  const job = language.told.as.exec(text)?.groups?.job;
  return job === undefined ? as('employer', valueIn(rest, language)) : as('job', job);
};

const ENDING = new Set(['end', 'stop', 'change', 'swap']);
/** "Comprou uma Honda", and no bread. */
const ONE_MORE = /(?<!\p{L})(?:ein(?:e[nrs]?)?|una?|une|uma?)(?= \p{L})/iu;

/** Something that may come in the place of what ended. */
const beginsIn = ({ kind, text, isPast }: ToldClause, { told }: SelfLanguage): boolean =>
  kind === 'become' || (kind === 'begin' ? ONE_MORE.test(text) : !isPast && told.now.test(text));

const NO_LONGER_WORD = /^(?:mehr|plus|più|más|mais|ya|já|non|kein\p{L}*|nicht)$/iu;

/** The terms of what the clause ends: its first noun, else the verb alone. */
const endedBy = (
  { kind, rest, verb }: ToldClause,
  isNoLonger: boolean,
  language: SelfLanguage,
): string[][] => {
  if (!ENDING.has(kind) && !isNoLonger) return [];
  const words = rest.filter((word) => !NO_LONGER_WORD.test(bareOf(word)));
  const what = firstNoun(words, language);
  if (what.some((word) => language.told.job.test(word))) return [[WORK]];
  if (what.length > 0) return [what.map((word) => rootOfTold(word, language.code))];
  return isNoLonger ? [[rootOfTold(verb, language.code)]] : [];
};

/** "Is tired", "has time". */
const MOODS = new Set<Kind>(['be', 'have']);

const factOfClause = (clause: ToldClause, meant: Meant, language: SelfLanguage): RuleFact | null => {
  const { told, code } = language;
  const { kind, isPast, rest, verb, text } = clause;
  if (told.unreal.test(text)) return null;
  const isNoLonger = told.noLonger.test(text);
  if (!isNoLonger && language.negations.test(text)) return null;
  if (!isPast && MOODS.has(kind) && language.vague.test(rest.join(' '))) return null;
  const isDeath = kind === 'die';
  if (isDeath && meant.called === null) return null;
  const slotted = isNoLonger ? null : slotOf(clause, language);
  const ends = isDeath ? [[rootOfTold(meant.called ?? '', code)]] : endedBy(clause, isNoLonger, language);
  const roots = [...rootsTold(rest, language), rootOfTold(verb, code)];
  const isWork = kind === 'work' || slotted?.slot === 'job' || slotted?.slot === 'employer';
  const topic = isWork ? [...roots, WORK] : roots;
  const isOpen = !isPast && !isNoLonger && ends.length === 0;
  const adds = told.adds.test(text);
  return {
    ...NO_FACT,
    ...(slotted === null ? {} : { slot: `${meant.key}/${slotted.slot}`, value: slotted.value }),
    oneValue: slotted !== null,
    isStatic: slotted !== null,
    detail: [...roots, ...(meant.called === null ? [] : [rootOfTold(meant.called, code)])],
    frame: isOpen && kind === 'other' ? `${meant.key}/${rootOfTold(verb, code)}` : null,
    object: topic,
    topic,
    changes: told.now.test(text) && !adds,
    adds,
    ends,
    subject: isDeath ? ANYBODY : meant.key,
    holder: isDeath ? ANYBODY : meant.key,
    begins: ends.length === 0 && !adds && beginsIn(clause, language),
    canEnd: isOpen || kind === 'become' || kind === 'move',
  };
};

const BETWEEN_CLAUSES = /,? (?:und|aber|y|e|et|pero|mais|mas|ma|però) |[,;:] /u;

/** The parts of a sentence of which each has a verb of its own. */
const clausesOf = (said: string, language: SelfLanguage): ToldClause[] => {
  const parts: string[] = [];
  const joins = said.match(new RegExp(BETWEEN_CLAUSES, 'gu')) ?? [];
  for (const [at, part] of said.split(BETWEEN_CLAUSES).entries()) {
    const before = parts.at(-1);
    const clause = clauseIn(part, language);
    // "Tim, der in Bonn lebt, arbeitet bei Bosch": a verb alone belongs to the noun in front.
    const begins =
      clause !== null && (clause.subject !== 'same' || clauseIn(before ?? '', language) !== null);
    if (before === undefined || begins) parts.push(part);
    else parts[parts.length - 1] = `${before}${joins[at - 1] ?? ' '}${part}`;
  }
  return parts.flatMap((part) => clauseIn(part, language) ?? []);
};

/** `owner`: the key of the speaker; `isAbout`: the words are all about the speaker, whose name stood in front. */
export const toldFacts = (
  said: string,
  { owner, isAbout }: { owner: string; isAbout: boolean },
  language: SelfLanguage,
): ToldFact[] => {
  const user: Meant = { key: owner, name: null, called: null };
  let before: Meant | null = isAbout ? user : null;
  return clausesOf(said.replace(/[.!\s]+$/u, ''), language).flatMap((clause) => {
    const { subject } = clause;
    const isSame = subject === 'same' || (subject !== 'user' && PRONOUN.test(subject.words));
    const meant: Meant | null =
      subject === 'user' ? user : isSame ? before : meantBy(subject.words, owner, language);
    before = meant;
    const fact = meant && factOfClause(clause, meant, language);
    return fact === null || meant === null ? [] : [{ fact, name: meant.name, kind: clause.kind }];
  });
};
