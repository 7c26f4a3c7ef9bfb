// Papers, manuals and articles state things about nobody: of these only what they say about named people and organisations is kept.
import type { ReadSource } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import { isOrganisation } from '../grammar/names.ts';

const FEWEST_WORDS = 80;
const LONG_SENTENCE = 14;
const SAMPLE = 6_000;
/** Somebody writes about himself, or about the user. */
const OWN_WORDS =
  /(?:^|[.!?,;] )(?:I|I'm|I've)(?: \p{Ll}|['’])|\b[Mm]y \p{Ll}|\b[Uu]ser(?:'s)? (?:is|has|likes|prefers|wants|lives|works|name)\b/mu;
/** "Jane Doe"; one capitalised word may be a gene or a method. */
const FULL_NAME = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+(?: \p{Lu}\.)? \p{Lu}\p{Ll}{2,}(?![\p{L}\p{N}])/u;

/** True for running text in long sentences without a speaker. */
export const isReferenceText = ({ conversation, fresh, around }: ReadSource): boolean => {
  if (conversation) return false;
  const text = [...around, ...fresh]
    .map((utterance) => utterance.text)
    .join('\n')
    .slice(0, SAMPLE);
  const words = text.match(/\S+/g)?.length ?? 0;
  if (words < FEWEST_WORDS || OWN_WORDS.test(text)) return false;
  const parts = text.split(/[.!?]\s|\n/).filter((part) => part.trim() !== '').length;
  return words / Math.max(1, parts) >= LONG_SENTENCE;
};

/** A title: most of its words are capitalised. */
const isTitle = (sentence: string): boolean => {
  const words = sentence.match(/\p{L}{4,}/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2;
};

export const namesSomebody = (subject: string, sentence: string): boolean =>
  !isTitle(sentence) && isNameLike(subject);

const isNameLike = (subject: string): boolean =>
  isOrganisation(subject) || FULL_NAME.test(subject.replace(/^(?:The|A|An|In|On|At|For|This|These) /, ''));
