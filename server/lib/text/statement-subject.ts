// Reads whom a statement is about, without a grammar: a name ends at the first small word, other subjects at the verb.
import { isTie } from './attributes.ts';

export interface WhomItIsAbout {
  readonly isUser: boolean;
  /** In small letters: "wanda" in "Wanda sails", "Wanda's sister", "User's sister Wanda". */
  readonly names: readonly string[];
  /** The first word alone, or the word after a tie: somebody and not something. */
  readonly person: string | null;
  /** "Wanda's sister is a nurse": "wanda" and "sister". */
  readonly owner: string | null;
  readonly tie: string | null;
}

/** "On Sundays, Wanda sails." */
const OPENING =
  /^(?:on|in|at|since|after|before|during|last|next|every|when|while|if|because|for|from|until|as)\b[^,]{0,80},\s*/iu;
const NO_NAMES = new Set(
  `the a an this that these those there it he she they we you his her their our its one some many most every all no both today
tomorrow yesterday on in at since after before during last next when while if because for from until as not please about`.split(
    /\s+/,
  ),
);
const USER = new Set(['user', 'i', 'my', 'me', 'we', 'our']);
/** True: a word for the one who speaks, in small letters: "user", "i", "my". */
export const isSpeakerWord = (word: string): boolean => USER.has(word);

const LINK = /^(?:and|or|of|the|von|van|de|del|di|da|la|du|project|team)$/iu;
const PREPOSITION = /^(?:with|of|at|in|for|about|from|to|by|on)$/iu;
const ADVERB = /^(?:also|still|never|always|usually|often|now|just|recently|really|no|not)$/iu;
const VERB = new RegExp(
  '^(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|may|might|must|should|went|got|came|met|bought|sold|ate|' +
    'took|left|made|said|told|gave|found|lost|won|kept|paid|ran|saw|sang|sat|spoke|spent|taught|thought|wrote|grew|knew|' +
    'began|broke|built|fell|felt|flew|forgot|heard|held|led|lent|sent|drove|drank|swam|wore|hates?|loves?|\\p{Ll}+(?:s|ed))$',
  'u',
);

const LONGEST_SUBJECT = 8;
const WORD = /([\p{L}\p{N}\p{M}]+(?:[.-][\p{L}\p{N}\p{M}]+)*)(['’]s?)?/gu;

interface SubjectWord {
  readonly text: string;
  readonly isCapital: boolean;
  readonly owns: boolean;
}

const leadingWords = (memory: string): SubjectWord[] =>
  [...memory.replace(OPENING, '').matchAll(WORD)]
    .slice(0, LONGEST_SUBJECT)
    .map(([, text = '', owns]) => ({ text, isCapital: /^\p{Lu}/u.test(text), owns: owns !== undefined }));

const isPronounOrArticle = ({ text }: SubjectWord): boolean =>
  NO_NAMES.has(text.toLowerCase()) || USER.has(text.toLowerCase());

/** The words before the verb. A name alone ends at the first small word; what belongs to somebody goes on. */
const subjectWords = (words: readonly SubjectWord[]): SubjectWord[] => {
  const [first] = words;
  if (first === undefined) return [];
  let goesOn =
    first.owns ||
    !first.isCapital ||
    NO_NAMES.has(first.text.toLowerCase()) ||
    /^(?:my|our)$/i.test(first.text);
  const found = [first];
  for (const word of words.slice(1)) {
    const joins = word.isCapital || LINK.test(word.text) || isTie(word.text);
    if (!joins && (VERB.test(word.text) || !(goesOn || PREPOSITION.test(word.text)))) break;
    goesOn = !isTie(word.text) && (goesOn || word.owns || PREPOSITION.test(word.text));
    found.push(word);
  }
  return found;
};

/** Every sentence begins with a capital letter, so the first word is a name only where a verb or a name follows. */
const startsWithName = ([first, next]: readonly SubjectWord[]): boolean => {
  if (first === undefined || !first.isCapital || isPronounOrArticle(first)) return false;
  if (first.owns || next === undefined) return true;
  const follows =
    next.isCapital || /^(?:and|&)$/.test(next.text) || VERB.test(next.text) || ADVERB.test(next.text);
  return follows && !/.{3}ing$/u.test(first.text);
};

/** The one or the thing that a self-contained statement is about: the names before its verb. */
export const readSubject = (memory: string): WhomItIsAbout => {
  const leading = leadingWords(memory);
  const words = subjectWords(leading);
  const isFirstName = startsWithName(leading);
  const isUser = words.some(
    ({ text }, at) => USER.has(text.toLowerCase()) && (at === 0 || /^the$/i.test(words[at - 1]?.text ?? '')),
  );
  const named = words.filter(
    (word, at) => word.isCapital && !isPronounOrArticle(word) && (at > 0 || isFirstName),
  );
  const after = words.find(({ isCapital }, at) => isCapital && at > 0 && isTie(words[at - 1]?.text ?? ''));
  const isBare = isFirstName && !LINK.test(words[0]?.text ?? '');
  const owning = words.findIndex(({ owns }) => owns);
  const tie = words.slice(owning + 1).find(({ text }) => isTie(text));
  return {
    isUser,
    names: named.map(({ text }) => text.toLowerCase()),
    person: (isBare ? words[0] : after)?.text.toLowerCase() ?? null,
    owner: owning < 0 ? null : (words[owning]?.text.toLowerCase() ?? null),
    tie: tie?.text.toLowerCase() ?? null,
  };
};
