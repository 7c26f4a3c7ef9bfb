// Sentences that no verb of the tables turns, and that are kept in the speaker's words because they say something concrete.
import type { SelfLanguage } from './grammar/verbs.ts';

/**
 * Minutes, lists and notes have a statement in each line; of an article only the author's own sentences are kept. Those who talk
 * to an assistant mostly give orders.
 */
export type SpokenForm = 'talk' | 'orders' | 'lines' | 'prose';

const FEWEST_WORDS = 4;
const NUMBER = /\d/;
/** A capitalised word inside the sentence, in languages that write nouns small. */
const NAME = /(?<=[\p{L}\p{N},;:'’»)] |[\p{L}]['’])\p{Lu}\p{Ll}{2,}/u;
/** German writes each noun like a name, so that only some words tell one. */
const GERMAN_NAME =
  /\b(?:Herrn?|Frau|Familie|Dr\.|Doktor|Prof\.|Professor(?:in)?|hei(?:ß|ss)t|hei(?:ß|ss)en|namens|nach|aus) \p{Lu}\p{Ll}+/u;
const GERMAN_NOUN = /(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}{2,}/u;
/** Laughter and sighs. */
const CHEER = /^(?:(?:[jh][aei]){2,}|k{3,}|rs{2,}|mdr|lol|omg|wow|uff?|ay|oh|ach|ah)(?!\p{L})/iu;

const isConcrete = (sentence: string, { code }: SelfLanguage, isOwn: boolean): boolean => {
  if (NUMBER.test(sentence)) return true;
  if (code !== 'de') return NAME.test(sentence);
  return GERMAN_NAME.test(sentence) || (isOwn && GERMAN_NOUN.test(sentence));
};

/** "Neuer Kassenwart: Ayşe Demir". */
const LABELLED = /^\p{L}[\p{L} ]{2,30}: (?=\S)(?=.*(?:\p{Lu}\p{Ll}|\d))/u;

/** True for a sentence about the speaker or what is the speaker's. */
export const isOwnSentence = (sentence: string, { own, we, pronouns }: SelfLanguage): boolean =>
  own.test(sentence) ||
  we.test(sentence) ||
  sentence
    .toLowerCase()
    .split(/[\s,]+|(?<=['’])/u)
    .some((word) => pronouns.has(word));

const isOfForm = (
  sentence: string,
  form: SpokenForm,
  { isOwn, language }: { isOwn: boolean; language: SelfLanguage },
): boolean => {
  if (form === 'talk') return isOwn || !sentence.endsWith('!');
  if (form === 'orders') return isOwn || (language.article.test(sentence) && !sentence.endsWith('!'));
  // A title has neither a label nor a full stop.
  if (form === 'lines') return LABELLED.test(sentence) || sentence.endsWith('.');
  return isOwn;
};

/** True for a statement that names somebody, a thing of the speaker's or a number, and is said to nobody. */
export const isConcreteSentence = (sentence: string, form: SpokenForm, language: SelfLanguage): boolean => {
  const isOwn = isOwnSentence(sentence, language);
  const isLabelled = LABELLED.test(sentence);
  return (
    (isLabelled || sentence.split(/\s+/).length >= FEWEST_WORDS) &&
    !CHEER.test(sentence) &&
    !language.address.test(sentence) &&
    !language.courtesy.test(sentence) &&
    !language.request.test(sentence) &&
    isOfForm(sentence, form, { isOwn, language }) &&
    (isLabelled || isConcrete(sentence, language, isOwn))
  );
};

const LONGEST_LINE = 160;
const LEAST_SHARE = 0.6;

export const formOfNote = (text: string): SpokenForm => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const sentences = text.split(/(?<=\S\S[.!?])\s+(?=\p{Lu})|\n+/u).filter((part) => part.trim() !== '');
  const isShort = lines.every(({ length }) => length <= LONGEST_LINE);
  return isShort && lines.length >= sentences.length * LEAST_SHARE ? 'lines' : 'prose';
};
