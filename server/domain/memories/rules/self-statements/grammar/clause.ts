// A clause of a sentence: whom it is about, its verb, and the words around it.
import {
  FUNCTION_WORDS,
  type FunctionWordLanguage,
} from '../../../../../lib/text/language/function-words.ts';
import { foldWord } from '../../../../../lib/text/terms/analyse.ts';
import type { Form, Kind } from './forms.ts';
import type { SelfLanguage } from './verbs.ts';

/** The subject of a clause, by its form: the speaker, its own words, or that of the clause before. */
export type ClauseSubject = 'user' | 'same' | { readonly words: string };

export interface ToldClause {
  readonly subject: ClauseSubject;
  readonly kind: Kind;
  readonly verb: string;
  readonly isPast: boolean;
  /** The words behind the verb, in German also those in front of it. */
  readonly rest: readonly string[];
  readonly text: string;
}

const LONGEST_LEAD = 7;
const FURTHEST_PARTICIPLE = 4;

export const bareOf = (word: string): string => word.toLowerCase().replace(/^["«¿¡„(]+|[,.!?;:"»)“]+$/gu, '');

/** Between a subject and its verb. */
const BETWEEN =
  /^(?:me|te|se|nos|ci|si|mi|m['’]|s['’]|ne|n['’]|y|en|lo|la|le|no|non|não|não|ya|já|anche|también|também|ahora|adesso|ora|agora|hoje|poi|luego|então|jetzt|a)$/iu;

/** The root of a word, so that "rauchen" and "raucht" are one. */
export const rootOfTold = (word: string, code: string): string => {
  const plain = foldWord(word);
  return code === 'de'
    ? plain.replace(/(?<=\p{L}{4})(?:en|er|es|em|e|t|st|n|s)$/u, '')
    : plain.replace(/(?<=\p{L}{3})(?:ando|endo|are|ere|ire|ar|er|ir|re|ons|ent|es|as|os|is|e|a|o|i|s)$/u, '');
};

/** Those that several languages share are in no list of one. */
const ARTICLE = /^(?:la|las?|el|il|lo|le|les|gli|i|l|los|os?|as?|uno?|una|uma|une)$/u;

const isFunctionWord = (word: string, code: string): boolean =>
  ARTICLE.test(word) || FUNCTION_WORDS[code as FunctionWordLanguage].has(word);

/** The roots of the words that say something. */
export const rootsTold = (words: readonly string[], { code }: SelfLanguage): string[] =>
  words
    .map((word) => bareOf(word).replace(/^\p{L}{1,4}['’](?=\p{L})/u, ''))
    .filter((word) => word !== '' && !isFunctionWord(word, code))
    .map((word) => rootOfTold(word, code));

const TIME =
  /^(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|ayer|hier|ieri|ontem|gestern|heute|hoy|aujourd['’]hui|oggi|hoje|letzt\p{L}*|vorig\p{L}*|vergangen\p{L}*|pasad[oa]s?|dernier\p{L}*|scors[oa]s?|passad[oa]s?|woche|monat\p{L}*|jahr\p{L}*|semana\p{L}*|mes|año|mois|semaine|année|mese|settimana|anno|mês|ano|hace|il|fa|há|vor|\d+)$/iu;

/** The first noun of the words, with what stands before it: "el banco" of "el banco en marzo". */
export const firstNoun = (words: readonly string[], language: SelfLanguage): string[] => {
  const found: string[] = [];
  for (const word of words) {
    const plain = bareOf(word).replace(/^\p{L}{1,4}['’](?=\p{L})/u, '');
    const tells =
      plain !== '' &&
      !isFunctionWord(plain, language.code) &&
      !TIME.test(plain) &&
      !language.told.general.test(plain) &&
      !language.told.now.test(plain);
    if (tells) found.push(plain);
    else if (found.length > 0) break;
    if (/[,;.!]$/u.test(word) && found.length > 0) break;
    if (language.code === 'de' && tells && /^\p{Lu}/u.test(word)) break;
  }
  return found;
};

interface Finite {
  readonly at: number;
  readonly forms: readonly Form[];
}

const formsAt = (words: readonly string[], at: number, language: SelfLanguage): readonly Form[] => {
  const word = words[at] ?? '';
  if (at > 0 && /^\p{Lu}/u.test(word)) return [];
  const plain = bareOf(word);
  const listed = (language.told.forms.get(plain) ?? []).filter(({ person }) => person !== 'participle');
  const auxiliary = (language.told.auxiliaries.get(plain) ?? []).map(
    (person): Form => ({ person, kind: 'have', isPast: false }),
  );
  return [...listed, ...auxiliary];
};

const finiteIn = (words: readonly string[], language: SelfLanguage): Finite | null => {
  for (let at = 0; at <= Math.min(LONGEST_LEAD, words.length - 1); at++) {
    const forms = formsAt(words, at, language);
    if (forms.length > 0) return { at, forms };
  }
  return null;
};

/** The participle behind an auxiliary; German puts it at the end. */
const participleIn = (words: readonly string[], at: number, language: SelfLanguage): number | null => {
  if (!language.told.auxiliaries.has(bareOf(words[at] ?? ''))) return null;
  const last =
    language.code === 'de' ? words.length - 1 : Math.min(words.length - 1, at + FURTHEST_PARTICIPLE);
  for (let place = at + 1; place <= last; place++) {
    const forms = language.told.forms.get(bareOf(words[place] ?? '')) ?? [];
    if (forms.some(({ person }) => person === 'participle')) return place;
  }
  return null;
};

const ANY_PERFECT = /(?:[aiu]do|[aiu]t[oaie]|ato|uto|ito|é|ée|és|ées|ge\p{L}+(?:t|en))$/u;

interface Led {
  readonly subject: ClauseSubject;
  /** The first word behind the subject in the inverted order of German. */
  readonly skips: number;
}

const isUser = (word: string, language: SelfLanguage): boolean =>
  language.pronouns.has(word) || language.told.weWords.test(word);

/** The subject by the words before the verb, and in German by the word behind it. */
const ledBy = (words: readonly string[], { at, forms }: Finite, language: SelfLanguage): Led | null => {
  const lead = words.slice(0, at);
  const between = lead.findLastIndex((word) => !BETWEEN.test(bareOf(word)));
  const last = bareOf(lead[between] ?? '');
  const persons = new Set(forms.map(({ person }) => person));
  if (isUser(last, language)) return { subject: 'user', skips: 0 };
  if (isUser(bareOf(words[at + 1] ?? ''), language)) return { subject: 'user', skips: 1 };
  // "vivo", "nos mudamos": the form tells it, whatever stands in front.
  const isOwnForm = !persons.has('third') && (!persons.has('they') || (between < 0 && persons.has('self')));
  if (!language.needsPronoun && isOwnForm) return { subject: 'user', skips: 0 };
  if (between < 0) return persons.has('third') || persons.has('they') ? { subject: 'same', skips: 0 } : null;
  const isInverted =
    language.code === 'de' && !/^(?:\p{Lu}|(?:d(?:er|ie|as)|mein|meine|unser|unsere) )/u.test(lead.join(' '));
  if (isInverted) return null;
  return {
    subject: {
      words: lead
        .slice(0, between + 1)
        .join(' ')
        .replace(/,$/, ''),
    },
    skips: 0,
  };
};

const GOES_TO_LIVE = /^(?:a |ad |de )?(?:vivir|morar|viver|vivere|abitare|vivre|habiter)(?!\p{L})/iu;
const OF = /^(?:de|d['’]|di)(?= |$)/iu;

const kindOf = (kind: Kind, rest: string): Kind => {
  if (kind === 'go') return GOES_TO_LIVE.test(rest) ? 'move' : 'other';
  return kind === 'move' && OF.test(rest) ? 'change' : kind;
};

export const clauseIn = (text: string, language: SelfLanguage): ToldClause | null => {
  const words = text.replace(/(?<!\p{L})([cdjlmnst]|qu)['’](?=\p{L})/giu, "$1' ").split(/\s+/);
  const finite = finiteIn(words, language);
  if (!finite) return null;
  const led = ledBy(words, finite, language);
  if (!led) return null;
  const participle = participleIn(words, finite.at, language);
  const forms =
    participle === null
      ? finite.forms
      : (language.told.forms.get(bareOf(words[participle] ?? '')) ?? []).filter(
          ({ person }) => person === 'participle',
        );
  const behind = words.filter((_, at) => at > finite.at + led.skips && at !== participle);
  // "Das Fitnessstudio habe ich gekündigt".
  const before = led.skips > 0 ? words.slice(0, finite.at) : [];
  const rest = [...before, ...behind];
  const [form] = forms;
  if (!form) return null;
  const isUnknownPerfect =
    participle === null &&
    language.told.auxiliaries.has(bareOf(words[finite.at] ?? '')) &&
    ANY_PERFECT.test(bareOf((language.code === 'de' ? words.at(-1) : words[finite.at + 1]) ?? ''));
  return {
    subject: led.subject,
    kind: kindOf(form.kind, behind.join(' ')),
    verb: bareOf(words[participle ?? finite.at] ?? ''),
    isPast: form.isPast || isUnknownPerfect,
    rest,
    text,
  };
};
