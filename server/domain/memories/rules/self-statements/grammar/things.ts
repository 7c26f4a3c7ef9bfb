// The facts of a sentence about a thing: out of order or working again, how much it costs, how many there are, when it takes place.
import { NO_FACT, type RuleFact } from '../../language.ts';
import { rootsTold } from './clause.ts';
import type { SelfLanguage } from './verbs.ts';

const NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:zwei|dos|deux|due|dois|duas)$/i, '2'],
  [/^(?:drei|tres|trois|tre|três)$/i, '3'],
  [/^(?:vier|cuatro|quatre|quattro|quatro)$/i, '4'],
  [/^(?:fünf|cinco|cinq|cinque)$/i, '5'],
  [/^(?:sechs|seis|six|sei)$/i, '6'],
  [/^(?:sieben|siete|sept|sette|sete)$/i, '7'],
  [/^(?:acht|ocho|huit|otto|oito)$/i, '8'],
  [/^(?:neun|nueve|neuf|nove)$/i, '9'],
  [/^(?:zehn|diez|dix|dieci|dez)$/i, '10'],
  [/^(?:elf|once|onze|undici)$/i, '11'],
  [/^(?:zwölf|doce|douze|dodici|doze)$/i, '12'],
];
const numberIn = (word: string): string | null => {
  if (/^\d[\d.,]*$/.test(word)) return word.replace(/[.,]$/, '');
  return NUMBERS.find(([pattern]) => pattern.test(word))?.[1] ?? null;
};

/** "Die", "el", "notre": what stands before a thing. */
const DETERMINER =
  /^(?:d(?:er|ie|as)|unsere?|meine?|el|las?|los|mis?|nuestr[oa]s?|le|les|l['’]|mon|ma|mes|notre|nos|il|lo|i|gli|(?:il |la |i |le )?(?:mio|mia|nostr[oaie])|os?|as?|(?:o |a )?(?:meu|minha|noss[oa]))(?: |(?<=['’]))/iu;
const DAY =
  /\d|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta)/iu;
const IS =
  /(?:ist|sind|findet|es|son|está|est|sont|a lieu|è|é|são|fica) (?=(?:am|um|jeden|el|los|a las?|le|les|à|au|il|alle|al|no|na|às|aos?|en|dia) )/iu;
/** "im Monat", "por noche": the time that a price is for. */
const PERIOD =
  /^(?:,? ?(?:(?:im|pro|je|al|por|par|à|a|ao) \p{L}+|mensuales|mensuels|mensili|mensais|monatlich|jährlich|(?:ab|en|desde|à partir de|da|dal|a partir de|em|seit) .{1,30}))*$/iu;
/** "Ab Januar steigt der Beitrag auf 25 Euro". */
const INVERTED =
  /^(?:Ab|Seit|Zum|Im|Am) (?:\S+ ){1,2}?(?<verb>\p{Ll}+) (?<thing>(?:der|die|das) .+?) (?<rest>auf .+)$/u;
const LONGEST_THING = 6;

/** Stands in a thing for the word before those whom it is for: "the fee for children" is another than "the fee". */
export const FOR_SOMEBODY = 'FOR';
const PURPOSE = / (?:für|para|pour|per) /iu;

interface About {
  readonly thing: readonly string[];
  /** From the verb on. */
  readonly said: string;
}

/** `predicate` begins where the noun ends. */
const aboutThing = (
  said: string,
  predicate: RegExp,
  language: SelfLanguage,
): (About & { behind: string }) | null => {
  const found = new RegExp(`(?<=^| )(?:${predicate.source})`, 'iu').exec(said);
  if (!found || found.index === 0) return null;
  const words = said.slice(0, found.index).trim();
  const noun = words.replace(DETERMINER, '');
  if (noun === words || noun.split(/\s+/).length > LONGEST_THING || /[,;:.!?]/.test(noun)) return null;
  const roots = rootsTold(noun.split(/\s+/), language);
  if (roots.length === 0) return null;
  const thing = PURPOSE.test(noun) ? [...roots, FOR_SOMEBODY] : roots;
  return { thing, said: said.slice(found.index), behind: said.slice(found.index + found[0].length).trim() };
};

const factAbout = (thing: readonly string[], told: Partial<RuleFact>): RuleFact => ({
  ...NO_FACT,
  thing,
  isOfThing: true,
  subject: thing.join(' '),
  holder: thing.join(' '),
  canEnd: true,
  ...told,
});

const slotted = (thing: readonly string[], slot: string, told: Partial<RuleFact>): RuleFact =>
  factAbout(thing, { slot: `${thing.join(' ')}/${slot}`, oneValue: true, detail: told.value ?? [], ...told });

/** "20 Euro im Monat", "otto": a number with its unit, for all or for a time. */
const amountIn = (text: string, language: SelfLanguage): { value: string; unit: string } | null => {
  const [first = '', unit = '', ...others] = text.replace(/(?<=\d)(?=[€%])/g, ' ').split(/\s+/);
  const value = numberIn(first.replace(/[,.]$/, ''));
  if (value === null || !PERIOD.test(others.join(' '))) return null;
  const [root = ''] = unit === '' ? ['count'] : /^[€%$£]$/.test(unit) ? [unit] : rootsTold([unit], language);
  return { value, unit: root === '€' ? 'eur' : root };
};

const amountFact = (said: string, language: SelfLanguage): RuleFact | null => {
  const { things } = language.told;
  for (const [predicate, standing] of [
    [things.rises, 'changed'],
    [things.amounts, 'holds'],
  ] as const) {
    const about = aboutThing(said, predicate, language);
    const amount = about && amountIn(about.behind, language);
    if (about && amount) return slotted(about.thing, amount.unit, { value: [amount.value], standing });
  }
  return null;
};

/** "Le club compte 52 adhérents". */
const COUNTS =
  /(?:hat|zählt|tiene|cuenta con|compte|a|ha|conta|tem|liegen)(?: (?:jetzt|nun|nur noch|ya|ahora|désormais|maintenant|ora|adesso|agora|já))?/iu;

const countFact = (said: string, language: SelfLanguage): RuleFact | null => {
  const about = aboutThing(said, COUNTS, language);
  const [number = '', noun = '', ...others] = about?.behind.split(/\s+/) ?? [];
  const value = numberIn(number);
  if (!about || value === null || noun === '' || others.length > 0) return null;
  return slotted(about.thing, rootsTold([noun], language).join(' '), { value: [value] });
};

/** "La volpe ha preso tre galline, ne restano cinque". */
const remainFact = (said: string, language: SelfLanguage): RuleFact | null => {
  const [, before = '', last = ''] = /^(.+)[,;] (.+?)$/u.exec(said) ?? [];
  const found = new RegExp(`^(?:${language.told.things.remains.source}) (?<number>\\S+)$`, 'iu').exec(last);
  const value = numberIn(found?.groups?.number ?? '');
  const words = before.split(/\s+/);
  const counted = words.findLastIndex((word, at) => at < words.length - 1 && numberIn(word) !== null);
  const thing = counted < 0 ? [] : rootsTold([words[counted + 1] ?? ''], language);
  return value === null || thing.length === 0
    ? null
    : slotted(thing, 'count', { value: [value], standing: 'changed' });
};

const dayFact = (said: string, language: SelfLanguage): RuleFact | null => {
  const shifted = aboutThing(said, language.told.things.shifted, language);
  if (shifted && DAY.test(shifted.said)) {
    const words = shifted.said.replace(/^.*? auf (?=.*(?:verlegt|verschoben|vorverlegt|vorgezogen))/u, '');
    return slotted(shifted.thing, 'day', {
      value: rootsTold(words.split(/\s+/), language),
      standing: 'changed',
    });
  }
  const about = aboutThing(said, IS, language);
  if (!about || !DAY.test(about.behind)) return null;
  const [day = ''] = about.behind.split(', ');
  const value = rootsTold(day.split(/\s+/), language);
  return slotted(about.thing, 'day', { value, oneValue: false });
};

const stateFact = (said: string, language: SelfLanguage): RuleFact | null => {
  const { things } = language.told;
  const mended = aboutThing(said, things.mended, language);
  if (mended)
    return factAbout(mended.thing, { mends: [mended.thing], detail: rootsTold(said.split(/\s+/), language) });
  const broken = aboutThing(said, things.trouble, language);
  if (broken === null || language.negations.test(broken.said)) return null;
  return factAbout(broken.thing, { isTrouble: true, detail: rootsTold(said.split(/\s+/), language) });
};

/** The fact of a sentence about a thing; null where it tells none of these. */
export const thingFactIn = (sentence: string, language: SelfLanguage): RuleFact | null => {
  const said = sentence
    .replace(/[.!\s]+$/u, '')
    .replace(INVERTED, '$<thing> $<verb> $<rest>')
    .replace(/^L['’](?=\p{L})/u, "L' ");
  if (language.told.unreal.test(said) && !language.told.things.shifted.test(said)) return null;
  return (
    stateFact(said, language) ??
    amountFact(said, language) ??
    countFact(said, language) ??
    remainFact(said, language) ??
    dayFact(said, language)
  );
};
