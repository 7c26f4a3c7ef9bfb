// A sentence means a relative or an animal of the sentence before by a pronoun or by its verb alone: "Meine Schwester heißt
// Lena. Sie ist Tierärztin", "Tengo un perro. Se llama Toby". The name takes the place of the pronoun.
import type { SelfLanguage, SelfVerb } from './grammar/verbs.ts';

type Gender = 'm' | 'f' | 'n';

/** A word before a noun or in its place; "mi hermana" does not tell a gender. */
interface Row {
  readonly genders: string;
  /** "einen Hund": as whose it is meant again. */
  readonly own?: string;
}

interface Words {
  readonly pronouns: ReadonlyMap<string, Gender>;
  /** "mein", "la mia". */
  readonly owners: ReadonlyMap<string, Row>;
  /** "ich habe". */
  readonly has: RegExp;
  readonly articles: ReadonlyMap<string, Row>;
  /** The pronoun may mean either of somebody with a title or a companion. */
  readonly besides: RegExp;
}

const rows = (text: string): ReadonlyMap<string, Row> =>
  new Map(
    text.split(', ').map((row) => {
      const [word = '', genders = '', own] = row.split('=');
      return [word, { genders, ...(own === undefined ? {} : { own }) }];
    }),
  );

const pronounsOf = (text: string): ReadonlyMap<string, Gender> =>
  new Map(text.split(' ').map((row) => row.split('=') as [string, Gender]));

const WORDS: Readonly<Record<string, Words>> = {
  de: {
    pronouns: pronounsOf('er=m sie=f es=n'),
    owners: rows('mein=mn, unser=mn, meine=f, unsere=f'),
    has: /^(?:ich habe|wir haben) /i,
    articles: rows('einen=m=Mein, eine=f=Meine, ein=n=Mein'),
    besides: /\b(?:Herrn?|Frau|Dr\.|mit \p{Lu})/u,
  },
  es: {
    pronouns: pronounsOf('él=m ella=f'),
    owners: rows('mi=mf, nuestro=m, nuestra=f'),
    has: /^(?:yo )?(?:tengo|tenemos) /i,
    articles: rows('un=m=Mi, una=f=Mi'),
    besides: /\b(?:don|doña|señora?|Dra?\.|con \p{Lu})/u,
  },
  fr: {
    pronouns: pronounsOf('il=m elle=f'),
    owners: rows('mon=mf, ma=f, notre=mf'),
    has: /^(?:j['’] ?ai|nous avons) /i,
    articles: rows('un=m=Mon, une=f=Ma'),
    besides: /\b(?:monsieur|madame|Mme|Dr\.?|avec \p{Lu})/u,
  },
  it: {
    pronouns: pronounsOf('lui=m lei=f'),
    owners: rows('mio=m, mia=f, nostro=m, nostra=f'),
    has: /^(?:io )?(?:ho|abbiamo) /i,
    articles: rows("un=m=Il mio, una=f=La mia, un'=f=La mia"),
    besides: /\b(?:signora?|dottor\p{L}*|con \p{Lu})/u,
  },
  pt: {
    pronouns: pronounsOf('ele=m ela=f'),
    owners: rows('meu=m, minha=f, nosso=m, nossa=f'),
    has: /^(?:eu )?(?:tenho|temos) /i,
    articles: rows('um=m=O meu, uma=f=A minha'),
    besides: /\b(?:senhora?|dona|Dra?\.|com \p{Lu})/u,
  },
};

const wordsOf = ({ code }: SelfLanguage): Words => {
  const words = WORDS[code];
  if (!words) throw new Error(`No words for somebody of the speaker in ${code}. Add them to WORDS.`);
  return words;
};

/** Between a pronoun and its verb. */
const REFLEXIVE = /^(?:se|s['’]|si|no|non|não|ne|também|también|anche)$/i;
const LONGEST_PHRASE = 3;
/** Attributes that a verb without a pronoun is taken to state of somebody. */
const STATES = new Set(['home', 'name', 'employer', 'study']);
const NAMED = /^(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})/u;
const IS_CAPITALISED = /\p{Lu}\p{Ll}{2,}/u;

interface Meant {
  readonly words: string;
  readonly genders: string;
  /** True where two may be meant. */
  readonly isUnsure: boolean;
}

interface Predicate {
  readonly verb: SelfVerb;
  readonly rest: string;
}

export interface Referents {
  /** The sentence with the name in the place of its pronoun; null where it means nobody that was named. */
  readonly resolve: (sentence: string) => string | null;
  readonly note: (sentence: string) => void;
}

const bareWord = (word: string): string => word.toLowerCase().replace(/[,.!;:]+$/, '');

const apart = (sentence: string): string[] =>
  sentence.replace(/\b([sSjJ])['’](?=\p{L})/gu, "$1' ").split(/\s+/);

/** "is" states a job, an age or a name; "sie ist toll" is a remark. */
const saysSomething = ({ verb, rest }: Predicate, language: SelfLanguage, hasPronoun: boolean): boolean => {
  const plain = rest.replace(/[.!\s]+$/u, '');
  if (plain === '' || language.vague.test(plain)) return false;
  const isBeing = language.being.some(([pattern]) => pattern.test(plain));
  if (!hasPronoun) return isBeing || /^(?:tiene|tem)$/.test(verb.third) || STATES.has(verb.slot ?? '');
  if (!/^(?:ist|war|es|está|est|était|è|é|fait|fa)$/.test(verb.third)) return true;
  return isBeing || (!/^(?:fait|fa)$/.test(verb.third) && /\d/.test(plain)) || IS_CAPITALISED.test(plain);
};

interface Grammar extends Words {
  /** By their third person. */
  readonly verbs: ReadonlyMap<string, SelfVerb>;
}

const predicateFrom = (words: readonly string[], start: number, { verbs }: Grammar): Predicate | null => {
  let at = start;
  while (REFLEXIVE.test(words[at] ?? '')) at++;
  const verb = verbs.get(bareWord(words[at] ?? ''));
  return verb ? { verb, rest: words.slice(at + 1).join(' ') } : null;
};

/** "Meine Schwester Anna wohnt …", "La mia gatta si chiama Mimi". */
const ownedIn = (words: readonly string[], grammar: Grammar): Meant | null => {
  const { owners, verbs, besides } = grammar;
  const owner = [0, 1].find((place) => owners.has(bareWord(words[place] ?? '')));
  if (owner === undefined) return null;
  const isVerb = (word: string): boolean => REFLEXIVE.test(word) || verbs.has(bareWord(word));
  const end = words.findIndex((word, place) => place > owner + 1 && isVerb(word));
  if (end < 0 || end - owner > LONGEST_PHRASE + 1) return null;
  const said = predicateFrom(words, end, grammar);
  const phrase = words.slice(0, end).join(' ').replace(/,$/, '');
  const name = said?.verb.slot === 'name' ? NAMED.exec(said.rest)?.groups?.name : undefined;
  return {
    words: name === undefined ? phrase : `${phrase} ${name}`,
    genders: owners.get(bareWord(words[owner] ?? ''))?.genders ?? '',
    isUnsure: besides.test(said?.rest ?? ''),
  };
};

/** "Ich habe einen Hund". */
const hadIn = (sentence: string, { has, articles }: Grammar): Meant | null => {
  const found = has.exec(sentence)?.[0];
  if (found === undefined) return null;
  const [article = '', noun = '', ...others] = sentence
    .slice(found.length)
    .replace(/[.!]+$/, '')
    .split(/[\s,]+/);
  const row = articles.get(article.toLowerCase());
  if (row?.own === undefined || noun === '' || others.length > 0) return null;
  return { words: `${row.own} ${noun}`, genders: row.genders, isUnsure: false };
};

export const createReferents = (language: SelfLanguage): Referents => {
  const verbs = new Map([...language.verbs.values()].map((verb) => [verb.third, verb]));
  const grammar: Grammar = { ...wordsOf(language), verbs };
  let meant: Meant | null = null;
  let isNext = false;
  return {
    resolve: (sentence) => {
      const before = isNext;
      isNext = false;
      if (meant === null || meant.isUnsure || language.request.test(sentence)) return null;
      const words = apart(sentence);
      const gender = grammar.pronouns.get(bareWord(words[0] ?? ''));
      const isMeant =
        gender === undefined ? !language.needsPronoun && before : meant.genders.includes(gender);
      const said = isMeant ? predicateFrom(words, gender === undefined ? 0 : 1, grammar) : null;
      if (!said || !saysSomething(said, language, gender !== undefined)) return null;
      isNext = true;
      const rest =
        gender === undefined
          ? sentence.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
          : sentence.replace(/^\S+ /u, '');
      return `${meant.words} ${rest}`;
    },
    note: (sentence) => {
      const found = ownedIn(apart(sentence), grammar) ?? hadIn(sentence, grammar);
      if (found === null) return;
      meant = found;
      isNext = true;
    },
  };
};
