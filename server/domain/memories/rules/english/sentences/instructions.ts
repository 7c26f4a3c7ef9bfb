// Recognises standing instructions: "Always answer in French" is worth keeping, "Answer in French" is a request.
import { toThirdPerson, type Voice } from '../grammar/person.ts';
import { hasForm, verbTokensOf } from '../grammar/verbs.ts';
import { capitalised } from '../grammar/words.ts';

const FROM_NOW_ON = 'from now on|in (?:the )?future|going forward|by default|every time';
const STANDING = new RegExp(
  String.raw`^(?:please )?(?:(?<from>${FROM_NOW_ON}),?\s(?:please )?)?(?<adverb>always|never|don't ever|do not ever)?\s?(?<verb>[\p{L}']+)\s.*?(?<later>,? (?:${FROM_NOW_ON}))?$`,
  'iu',
);

/** Most sentences hold none of its words. */
const MAY_STAND = /always|never|ever |from now|future|forward|default|every time/i;

/** The parts of texts: who says how they are to be means all texts. */
const TEXTS =
  '(?:answers|replies|responses|explanations|summaries|comments|commit messages|docstrings?|emojis?|emoticons|bullet points|bullets|headings|paragraphs|abbreviations|exclamation marks|semicolons|code blocks|footnotes|citations|jargon|slang|spelling|punctuation)';
/** "Keep answers short": it is about all answers, and not about the next one. */
const ABOUT_ALL_ANSWERS = new RegExp(
  `^(?:please )?(?:keep|make|write|format|give|leave|put) (?:(?:all|your|the|my|me) )*${TEXTS}\\b.*$`,
  'i',
);
/** "No emojis", "British spelling, please", "docstrings in google style": how texts are to be, without a verb. */
const OF_TEXTS = new RegExp(
  `^(?:(?:please|pls|just|only|always|never|no|more|fewer|without) )*(?:[\\p{L}-]+ )?${TEXTS}(?:$|,| (?:please|pls|only|if|in|at|any ?more)\\b| (?:is|are) (?:not )?(?:ok|okay|fine|allowed|welcome|forbidden|banned|unwanted)\\b).*$`,
  'iu',
);
/** "If you don't know, say so", "when I ask for a recipe leave out the story": an order for each time. */
const EACH_TIME =
  /^(?:when|whenever|if) (?:I (?:ask|say|write|send|paste|quote)|you (?:don't|dont|do not) know|you are (?:not |un)sure|you (?:answer|reply|write|explain|quote))\b.*?[, ](?:please )?(?:say|tell|cite|leave|keep|use|give|add|write|answer|reply|show|ask|skip|make|put|include|explain|quote|mention|avoid|name|list|do not|don't) /i;
/** "Don't thank me after every message". */
const NOT_EACH_TIME =
  /^(?:please |pls )?(?:do not|don't) (?!worry\b)\p{L}+ .*\b(?:after|before|in|with|for) (?:every|each|any)\b/iu;

/** Orders about how to work, and not about one thing: the object has no article. */
const WORK =
  '(?:use|prefer|write|answer|reply|respond|speak|format|name|import|install|run|indent|spell|commit|add|include|suggest|recommend|mock)';
const GENERAL = String.raw`(?!(?:the|this|that|these|those|an?|it|them|one|my|your|his|her|our|all|any)\b)[\p{L}\p{N}@]`;
/** "use pnpm, not npm": a choice between two ways to work. */
const CHOICE = new RegExp(
  String.raw`^(?:please |pls |just )?${WORK} ${GENERAL}.*(?: instead of| rather than|,? (?:and )?(?:not|never)| for(?= ${GENERAL})| in (?:this|our) (?=project|repo|code|workspace)) (?!(?:now|yet|to|me|you|here|there)\b)\S`,
  'iu',
);
/** "don't use semicolons", "avoid classes". */
const UNWANTED = new RegExp(`^(?:please |pls )?(?:(?:do not|don't) ${WORK}|avoid) ${GENERAL}`, 'iu');

const MAY_ORDER = new RegExp(
  `^(?:(?:please|pls|just) )?(?:${WORK}|avoid|don't|do not|keep|make|give|leave|put|when|whenever|if|address me)\\b|\\b${TEXTS}\\b`,
  'i',
);

const PRAISE =
  /^(?:great|good|nice|lovely|amazing|awesome|beautiful|brilliant|perfect|interesting|funny|cool|helpful|wonderful|fantastic|excellent|bad|terrible|awful|weird)\b/i;

/** "British spelling", and not "great answers" or "my comments". */
const wantsTexts = (words: string): boolean => {
  if (!OF_TEXTS.test(words)) return false;
  const [first] = verbTokensOf(words);
  const isOther = first === undefined || PRAISE.test(words) || hasForm(first, 'past');
  return !isOther && (first.lower === 'no' || !/^(?:AUX|PRON|DET)$/.test(first.pos));
};

const ORDERS = [CHOICE, ABOUT_ALL_ANSWERS, UNWANTED, EACH_TIME, NOT_EACH_TIME, /^(?:please )?address me\b/i];

const bareOrder = (order: string): string =>
  order.replace(/^(?:please|pls|just) /i, '').replace(/^./u, (letter) => letter.toLowerCase());

/** The instruction without its end; null if the sentence is not an instruction. */
export const instructionIn = (sentence: string): string | null => {
  const mayStand = MAY_STAND.test(sentence);
  if (!mayStand && !MAY_ORDER.test(sentence)) return null;
  const plain = sentence.replace(/[\s.!]+$/, '');
  if (ORDERS.some((pattern) => pattern.test(plain)) || wantsTexts(plain)) return bareOrder(plain);
  const { from, later, adverb, verb = '' } = (mayStand && STANDING.exec(plain)?.groups) || {};
  if ((from ?? later ?? adverb) === undefined) return null;
  const isOrder =
    verbTokensOf(plain)
      .find(({ word }) => word === verb)
      ?.verb?.forms.has('plain') === true && verb.toLowerCase() !== 'been';
  return isOrder || /^don't$/i.test(verb) ? bareOrder(plain) : null;
};

/** "For questions, please call the office": what a mail asks of its readers beside an answer. */
const ASKED =
  /^(?<when>(?:for|in|with|if) [^,]{3,40}?,? )?(?:please )?(?<order>(?:bring|wear|pay|return|deliver|park|ring|call|contact|transfer|collect|pick up|hand in|fill in|write to|send|give|have(?! an? )|stop|leave|keep(?! \p{L}+ing)|use|take) (?!(?:it|this|that|me|us|him|her|them|back|(?:my|our|your) (?:love|best|regards))\b)\S.*)$/iu;

/** The statement of an order; null if the sentence gives none. */
export const orderStatement = (said: string, voice: Voice, isMail: boolean): string | null => {
  const instruction = instructionIn(said);
  if (instruction !== null) return capitalised(`${voice.name}'s standing instruction: ${instruction}`);
  const { when = '', order } = (isMail && ASKED.exec(said.replace(/[\s.,!]+$/, ''))?.groups) || {};
  if (order === undefined) return null;
  const asked = toThirdPerson(`${order.charAt(0).toLowerCase()}${order.slice(1)}`, voice);
  const front = when === '' ? '' : `, ${when.charAt(0).toLowerCase()}${when.slice(1).replace(/,? $/, '')}`;
  return capitalised(`${voice.name} asks ${voice.listener ?? 'everybody'} to ${asked}${front}`);
};

const WISH = /^(?<owner>.*?)'s standing instruction: (?<begins>from now on,? )?(?<order>.*)$/i;

/** A standing wish as what its owner does: "The user always answers in French". Null for any other statement. */
export const habitAsked = (memory: string): string | null => {
  if (!memory.includes("'s standing instruction: ")) return null;
  const { owner = '', begins, order } = WISH.exec(memory)?.groups ?? {};
  if (order === undefined) return null;
  const said = `I ${order}${begins === undefined ? '' : ' from now on'}`;
  return capitalised(toThirdPerson(said, { name: owner, listener: null }));
};

/** "I am coeliac so never suggest bread": what is stated, and the order behind it. */
const CONSEQUENCE = new RegExp(
  `,? so (?=(?:please|don't|do not|from now on|(?:(?:always|never) )?${WORK}) )`,
  'i',
);

export const orderParts = (sentence: string): string[] => {
  if (!sentence.includes(' so ')) return [sentence];
  const [stated = '', ...more] = sentence.split(CONSEQUENCE);
  const order = more.length === 1 ? (more[0] ?? '') : '';
  return stated.includes(' ') && instructionIn(order) !== null ? [stated, order] : [sentence];
};

export const instructionExamples: readonly (readonly [string, string | null])[] = [
  ['Always answer in French.', 'always answer in French'],
  ['Never commit to the main branch', 'never commit to the main branch'],
  ['From now on, use tabs', 'from now on, use tabs'],
  ['Please keep your answers short.', 'keep your answers short'],
  ['Use spaces, not tabs', 'use spaces, not tabs'],
  ["please don't add emojis", "don't add emojis"],
  ['Use httpx for requests', 'use httpx for requests'],
  ['Use flour for the cake', null],
  ['Run linters by default', 'run linters by default'],
  ["Don't use the old one", null],
  ['Use the red one, not the blue one', null],
  ['Answer in French', null],
  ['No emojis.', 'no emojis'],
  ['Metric units, no abbreviations', null],
  ['no abbreviations in names', 'no abbreviations in names'],
  ['Great answers', null],
  ["If you don't know, say so", "if you don't know, say so"],
  ["Don't thank me after every message", "don't thank me after every message"],
  ['Never been to Japan', null],
];
