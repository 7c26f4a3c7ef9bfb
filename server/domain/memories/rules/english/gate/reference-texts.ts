// Papers, manuals and articles state things about nobody: of these only what they say about named people and organisations is kept.
import type { ReadSource } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import { isOrganisation } from '../grammar/names.ts';
import { hasForm, verbTokensOf } from '../grammar/verbs.ts';

const FEWEST_WORDS = 80;
const LONG_SENTENCE = 14;
const SAMPLE = 6_000;
/** Somebody writes about himself, or about the user. */
const OWN_WORDS =
  /(?:^|[.!?,;] )(?:I|I'm|I've)(?: \p{Ll}|['’])|\b[Mm]y \p{Ll}|\b[Uu]ser(?:'s)? (?:is|has|likes|prefers|wants|lives|works|name)\b/mu;
/** "Jane Doe"; one capitalised word may be a gene or a method. */
const FULL_NAME = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+(?: \p{Lu}\.)? \p{Lu}\p{Ll}{2,}(?![\p{L}\p{N}])/u;

/** The phrases of studies, of news and of lists of changes. */
const SIGNS =
  /^We (?:investigated|examined|studied|assessed|evaluated|analy[sz]ed|measured|compared|assigned|recruited|tested)\b|\bp [<=>] ?0?\.\d|\b(?:findings|results) (?:suggest|indicate|show)|\bparticipants\b|\b(?:rose|fell|increased|declined|dropped) by \d|\b(?:per ?cent|\d ?%) (?:more|less|higher|lower)\b|\bspokes(?:man|woman|person)\b|, the [\p{L} ]+ (?:said|announced)\b|^(?:Researchers|Scientists|Experts|Critics|Analysts|Officials)\b|^(?:Abstract|Background|Methods|Results|Conclusions?)[.:] |^(?:[-*] )?(?:Added|Fixed|Changed|Removed|Deprecated)(?:: | an? )|^#+ v?\d+\.\d+/u;
/** Signs of a note: directions for anybody hold no name, day, amount of money, household or way to work on a project. */
const NAME = /(?<=[\p{L},;] )\p{Lu}\p{Ll}/u;
const OF_SOMEBODY =
  /[@`]|\d[:.]\d\d\b|\b(?:today|tomorrow|tonight|\p{L}+days?|euros?|pounds|dollars|cats?|dogs?|plants|keys?|bins?|neighbours?|wi-?fi)\b|[€$£]|(?:^|[.!?] )\W*(?:(?:always|never|please|do not|don't) )?(?:commit|run|write|name|import|install|format|mock|prefer|answer|reply|respond|speak|indent|document)\b/imu;

/** "Soak 200 g of barley". */
const AMOUNT = /^\p{L}+ \d[\d.,]* (?:k?g|m?l|cl|litres?|cups?) (?:of )?\p{L}/u;

/** "ring 58": a thing with its value. */
const VALUE = /^\p{L}+ \d[\d.,/]*$/u;

/** "Fry an onion until soft", "6.4 Rinse twice". */
const directs = (sentence: string): boolean => {
  const plain = sentence.replace(/^\W*(?:\d[\d.]*\s+)?(?:(?:do not|never|please|[^:,]{3,30}[:,]) )?/i, '');
  const [first, next] = verbTokensOf(plain.charAt(0).toLowerCase() + plain.slice(1));
  // The tagger takes "heat" for a noun, and no noun stands before an article or an amount.
  const isVerb = /^(?:NOUN|ADJ)$/.test(first?.pos ?? '') && next?.pos === 'DET';
  if (VALUE.test(plain)) return false;
  return (
    isVerb ||
    /^do not\b/i.test(sentence) ||
    AMOUNT.test(plain) ||
    (hasForm(first, 'plain') && next !== undefined && !/^(?:AUX|VERB|PRON)$/.test(next.pos))
  );
};

/** A short text for anybody: most of its sentences give directions, or two have a sign of a study, of news or of changes. */
const isForAnybody = (text: string, sentences: readonly string[]): boolean =>
  sentences.filter((sentence) => SIGNS.test(sentence)).length >= 2 ||
  (!NAME.test(text) && !OF_SOMEBODY.test(text) && sentences.filter(directs).length * 2 > sentences.length);

/** True for running text in long sentences without a speaker, and for a short text for anybody. */
export const isReferenceText = ({ conversation, fresh, around }: ReadSource): boolean => {
  if (conversation) return false;
  const text = [...around, ...fresh]
    .map((utterance) => utterance.text)
    .join('\n')
    .slice(0, SAMPLE);
  if (OWN_WORDS.test(text)) return false;
  const sentences = text.split(/(?<=\S[.!?])\s|\n/u).filter((part) => /\p{L}{2}|^#/u.test(part));
  const words = text.match(/\S+/g)?.length ?? 0;
  return words < FEWEST_WORDS
    ? isForAnybody(text, sentences)
    : words / Math.max(1, sentences.length) >= LONG_SENTENCE;
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
