// Splits one sentence into several facts: "I live in Berlin and work at Siemens" → "I live in Berlin", "I work at Siemens".

import { matchesIn } from '../../../../../lib/text/matches.ts';
import { ENGLISH_ABBREVIATIONS, isAbbreviation } from '../../../../../lib/text/sentences/sentence-marks.ts';
import { type Clause, clauseOf } from './clause.ts';
import { quotedIn } from './quotes.ts';
import { isAuxiliary } from './verb-phrase.ts';
import { hasForm, type VerbForm, verbTokensOf } from './verbs.ts';
import { ADVERBS, tokensOf } from './words.ts';

/** A dash between two clauses ends the first like a full stop. */
const DASHES = /\s+[-–—]+\s+|\s*—\s*|(?<=\p{Ll})[-–]\s(?=\p{L})/gu;

/** "The puppy does well - learning tricks": who learns stands before the dash. */
const goesOn = (part: string): boolean => /^\p{Ll}+ing\b/u.test(part) && clauseOf(part) === null;

export const dashParts = (sentence: string): string[] => {
  const parts = sentence.split(DASHES);
  const isLong = (part: string): boolean => tokensOf(part).length >= 3;
  const isCut = parts.length > 1 && parts.length <= 4 && parts.every(isLong);
  return isCut && !parts.slice(1).some(goesOn) ? parts : [sentence];
};

/** Quick writing goes on in small letters behind a mark: "moved out!! silence at last". */
const QUICK_END = /(?<=[!?]|(?:\p{L}{3}|\d)\.)\s+(?=\p{Ll})/u;

export const quickParts = (sentence: string): string[] => {
  const parts: string[] = [];
  for (const part of sentence.split(QUICK_END)) {
    const before = parts.at(-1);
    const last = /(\p{L}+)\.$/u.exec(before ?? '')?.[1];
    if (before !== undefined && last !== undefined && isAbbreviation(last, ENGLISH_ABBREVIATIONS))
      parts[parts.length - 1] = `${before} ${part}`;
    else parts.push(part);
  }
  return parts;
};

/** A comma or "and" before a new subject. */
const NEW_SUBJECT =
  /(?:,? (?:and|but|so|while|plus)|;|,)\s+(?=(?:I|we|my|our|he|she|his|her|they|their|it|its)\b(?!\s(?:and|too)\b))/gi;
/** "Emma is 7 and Lily is 4". */
const NAMED_SUBJECT =
  /,? and\s+(?=\p{Lu}\p{Ll}+ (?:is|was|has|lives|works|likes|loves|hates|moved|studies|plays)\b)/gu;
/** Words after which a clause depends on the one before and is no fact of its own. */
const LEANS = /^(?:it|its|they|their|that|this)\b/i;

/** A mark before a clause with a subject of its own: "tests run with jest, CI is CircleCI". */
const MARK = /;\s+|,\s+(?:and |but )?(?=[\p{L}\p{N}])/gu;
/** "And", "but" before a clause with a subject of its own: "dinner is at 7 and the club meets on Tuesday". */
const JOINT = /,? (?:and|but|whereas) (?=[\p{L}\p{N}])/gu;
const LONGEST_SUBJECT = 4;
const NO_SUBJECT =
  /^(?:that|who|which|whose|whom|if|when|while|because|since|although|though|unless|whether|what|where|how|why|as|to|so|like|then|there|here|it|its|they|this|these|those|all|both|each|none|most|some|one|and|or|but|not|even|especially|including|in|on|at|by|for|from|with|of|after|before|until|during)$/;

/** An event explains the state behind it, so that the two stay together: "Caspian broke his leg, Eluned plays the count". */
const isState = (clause: Clause | null): clause is Clause =>
  clause !== null && clause.verb.tense === 'present' && !clause.verb.perfect && clause.verb.modal === null;

/** True if a state of another thing begins here. */
const beginsClause = (rest: string, isRest = false): boolean => {
  const [piece = ''] = rest.split(/[,;]/);
  const clause = clauseOf(piece);
  if (!isState(clause) || clause.verb.rest === '') return false;
  const { subject } = clause;
  const words = verbTokensOf(subject);
  const last = words.at(-1);
  return (
    words.length <= LONGEST_SUBJECT + (isRest ? 2 : 0) &&
    !NO_SUBJECT.test(words[0]?.lower ?? '') &&
    /^(?:NOUN|PROPN|X)$/.test(last?.pos ?? '') &&
    !/ing$/.test(words[0]?.lower ?? '')
  );
};

const holdsVerb = (piece: string): boolean =>
  verbTokensOf(piece).some((token, at) => at > 0 && (isAuxiliary(token.lower) || token.verb !== undefined));

/** A time or place in front holds for both clauses. */
const FRONT =
  /^(?:on|in|at|from|since|until|till|during|for|every|each|by|after|before|next|this|last|today|tomorrow|tonight|currently|now|these|as|with|according)\b/i;
/** A condition or a limit of time behind may hold for both, and a pronoun means something of the first. */
const HOLDS_FOR_BOTH =
  /\b(?:if|when|whenever|while|until|till|unless|because|since|as long as|so that|in case|he|she|they|it|him|her|them|his|their|its|there|both|too|either|neither|respectively|each other)\b/i;
/** "has a van and the engine is broken": the engine is that of the van. */
const BRINGS_IN = /\b(?:an?|some|new|two|three|four|five)\s\p{L}/iu;
/** "The rest of the family": of whose, the first clause tells. */
const THE_REST = /^(?<rest>the (?:rest|others?|remainder) of )the\b/i;

/** "I", "we" begin another clause in any case; of a single word, nothing is said. */
const NO_NOUN = /^(?:I|we|you|my|our|your|not|then|so|to|even|also|just|now)\b|^\S+$/i;

/** By their words alone, before the grammar is asked. */
const mayStandApart = (head: string, rest: string): boolean =>
  !(
    NO_NOUN.test(rest) ||
    FRONT.test(head) ||
    head.includes(':') ||
    HOLDS_FOR_BOTH.test(rest) ||
    (/^the /i.test(rest) && !THE_REST.test(rest) && BRINGS_IN.test(head))
  );

/** The clause behind a joint, in words of its own; null if it depends on the one before. */
const ownClause = (head: string, rest: string): string | null => {
  if (!holdsVerb(head)) return null;
  const isRest = THE_REST.test(rest);
  const owner = /^(?:I|we|my|our)\b/i.test(head) ? 'my' : `${clauseOf(head)?.subject ?? ''}'s`;
  return beginsClause(rest, isRest) ? rest.replace(THE_REST, `$<rest>${owner}`) : null;
};

const SHARED = /,? (?:and|but) /g;

/** "and work", "but hate": a verb in the same form as the first, with the same subject. */
const sharesSubject = (lead: VerbForm | undefined, rest: string): boolean => {
  const words = verbTokensOf(rest);
  let at = 0;
  while (ADVERBS.has(words[at]?.lower ?? '') && at < 3) at++;
  const verb = words[at]?.verb;
  // "Jira for tickets and Loom for demos": a verb has no capital.
  if (!verb || !lead || words.length - at < 2 || /^\p{Lu}/u.test(words[at]?.word ?? '')) return false;
  // "I like to eat and drink": the second verb does not belong to the subject.
  const next = words[at + 1]?.lower ?? '';
  if (next === 'and' || next === 'is' || next === 'are') return false;
  // "I grew up in Turin and now live in Rome".
  if (/^(?:now|currently)$/.test(words[0]?.lower ?? '')) return verb.forms.has('plain');
  const isPast = lead.forms.has('past') && !lead.forms.has('plain');
  if (isPast) return verb.forms.has('past');
  if (lead.forms.has('s')) return verb.forms.has('s');
  return (
    (verb.forms.has('plain') && !verb.forms.has('past')) ||
    verb.lemma === 'be' ||
    verb.lemma === 'have' ||
    words[at]?.lower === "don't"
  );
};

const TAKES_VERBS =
  /^(?:can|can't|will|won't|would|could|might|may|should|must|let|help|make|going|used|did|didn't|do|don't|does|doesn't)$/;

/** After these words, a verb after "and" belongs to them: "I want to cook and eat", "I can cook and sew". */
const takesVerbs = (head: string): boolean => {
  const words = verbTokensOf(head);
  return words.some(
    ({ lower }, at) => TAKES_VERBS.test(lower) || (lower === 'to' && hasForm(words[at + 1], 'plain')),
  );
};

const splitShared = (clause: string): string[] => {
  if (!/ (?:and|but) /.test(clause)) return [clause];
  const { subject } = clauseOf(clause) ?? {};
  if (subject === undefined) return [clause];
  const behind = verbTokensOf(clause).filter(({ start }) => start >= subject.length);
  const lead = behind.find(({ lower }) => !ADVERBS.has(lower))?.verb;
  for (const { index, 0: joint } of clause.matchAll(SHARED)) {
    if (index <= subject.length) continue;
    const head = clause.slice(0, index);
    const rest = clause.slice(index + joint.length);
    if (takesVerbs(head) && !/^(?:I|we) (?:don't|didn't) /.test(head)) return [clause];
    // "I practise and train every day": what follows belongs to both.
    const { tense, rest: none } = clauseOf(head)?.verb ?? {};
    if (tense === 'present' && none === '') return [clause];
    if (sharesSubject(lead, rest)) return [head, ...splitShared(`${subject} ${rest}`)];
  }
  return [clause];
};

/** "with my partner and our two kids": no verb follows. */
const isOwnThing = (rest: string): boolean =>
  /^(?:my|our|his|her)\b/i.test(rest) && !holdsVerb(rest.split(/[,;]/)[0] ?? '');

/** "had a ball when my friends": the noun behind "when" goes on behind "and". "The best was when": all behind it belongs to it. */
const OPEN_CLAUSE =
  /\b(?:when|where|while|because|since|after|before|as|that|if|who|which)\s+(?<words>[^,;]*)$/i;
const IS_WHEN = /\b(?:is|was)(?: \p{L}+)? when\b/iu;

const isUnfinished = (head: string): boolean => {
  const words = OPEN_CLAUSE.exec(head)?.groups?.words;
  return (
    IS_WHEN.test(head) ||
    (words !== undefined && /^(?:my|our|the|some) \p{L}/iu.test(words) && !holdsVerb(words))
  );
};

/** A place where another clause begins, in its words. */
interface Joint {
  readonly from: number;
  readonly to: number;
  readonly rest: string;
}

const jointsIn = (sentence: string, splitsJoined: boolean): Joint[] => {
  const isQuoted = quotedIn(sentence);
  const at = (pattern: RegExp): Joint[] =>
    matchesIn(sentence, pattern)
      .filter(({ index }) => !isQuoted(index))
      .map(({ index, 0: joint }) => ({
        ...{ from: index, to: index + joint.length },
        rest: sentence.slice(index + joint.length),
      }));
  const subjects = [...at(NEW_SUBJECT), ...at(NAMED_SUBJECT)];
  const marks = at(MARK);
  const joined = splitsJoined ? at(JOINT) : [];
  const mayOwn = joined.filter(({ from, rest }) => mayStandApart(sentence.slice(0, from), rest));
  if ((marks.length === 0 && mayOwn.length === 0) || !isState(clauseOf(sentence))) return subjects;
  const own = mayOwn.flatMap((joint) => {
    const rest = ownClause(sentence.slice(0, joint.from), joint.rest);
    return rest === null ? [] : [{ ...joint, rest }];
  });
  return [...subjects, ...marks.filter(({ rest }) => beginsClause(rest)), ...own];
};

/**
 * "I bought you tea, I made it": the self-contained pieces. Null if the sentence is a single piece.
 * `splitsJoined`: also before "and" and "but" with a noun for a subject.
 */
export const clausesOf = (sentence: string, splitsJoined = true): string[] | null => {
  const pieces: string[] = [];
  let [start, words] = [0, sentence];
  for (const { from, to, rest } of jointsIn(sentence, splitsJoined).sort((a, b) => a.from - b.from)) {
    if (from < start) continue;
    const head = words.slice(0, words.length - (sentence.length - from));
    // "Shoes 39, dress size 40, I am allergic to nickel": the list before the clause has no verb.
    const isList = start === 0 && head.includes(',') && !holdsVerb(head);
    if (LEANS.test(rest) || !(isList || holdsVerb(head)) || isOwnThing(rest) || isUnfinished(head)) continue;
    pieces.push(head);
    [start, words] = [to, rest];
  }
  pieces.push(words);
  const all = pieces.flatMap(splitShared).map((piece) => piece.trim());
  return all.length > 1 ? all : null;
};

/** "I'm doing well, I had a picnic": a comma alone between statements of the speaker, so that none depends on another. */
export const isSpliced = (sentence: string, pieces: readonly string[]): boolean =>
  pieces.every((piece) => /^(?:I|we)\b/i.test(piece)) &&
  pieces.join(', ') === sentence.trim().replaceAll(/;\s+/g, ', ');

/** Both halves of a list must have the same form. */
const FIXED_PAIRS =
  /^(?:mac and cheese|fish and chips|rock and roll|black and white|peanut butter and jelly|salt and pepper|bread and butter|r and b|drum and bass|bed and breakfast|trial and error|arts and crafts|gin and tonic|song and dance|dungeons and dragons|cookies and cream|ham and cheese|sweet and sour)$/i;

/** "sushi, ramen and pizza" → each item; null if the text is not a plain list. */
export const plainListIn = (text: string): string[] | null => {
  if (FIXED_PAIRS.test(text.trim()) || !/ and |,| or /.test(text)) return null;
  const parts = text.split(/,\s*(?:and |or )?| and | or /).map((part) => part.trim());
  const isPlain = (part: string): boolean => {
    const words = tokensOf(part);
    return (
      words.length > 0 &&
      words.length <= 4 &&
      !/^(?:especially|including|mostly|mainly|even|no|not)\b/i.test(part) &&
      !words.some(({ lower }) =>
        /^(?:to|that|who|which|with|for|because|when|from|of|in|on|at|is|are|am|was|my|I|the|me|them|him|you|instead)$/i.test(
          lower,
        ),
      )
    );
  };
  return parts.length > 1 && parts.length <= 12 && parts.every(isPlain) ? parts : null;
};

export const clauseExamples: readonly (readonly [string, readonly string[] | null])[] = [
  ['I live in Berlin and work at Siemens', ['I live in Berlin', 'I work at Siemens']],
  ['tests run with jest, CI is CircleCI', ['tests run with jest', 'CI is CircleCI']],
  ['I love sushi but I hate olives', ['I love sushi', 'I hate olives']],
  [
    'I have type 2 diabetes and I take metformin every day',
    ['I have type 2 diabetes', 'I take metformin every day'],
  ],
  ['shoes 39, size 40, I am allergic to nickel', ['shoes 39, size 40', 'I am allergic to nickel']],
  ['dinner is at 7 and the club meets on Tuesday', ['dinner is at 7', 'the club meets on Tuesday']],
  [
    'I am vegetarian but the rest of the family eats meat',
    ['I am vegetarian', 'the rest of my family eats meat'],
  ],
  ['Anna has a van and the engine is broken', null],
  ['on Fridays the gym is open and the pool is closed', null],
  ['dinner is at 7 and the club meets at 8 until June', null],
  ['I want to cook and eat', null],
  ['Emma is 7 and Lily is 4', ['Emma is 7', 'Lily is 4']],
  ['we moved here with my aunt and our parrots', null],
  ['I grew up in Turin and now live in Rome', ['I grew up in Turin', 'I now live in Rome']],
  ['I adopted a puppy and it sleeps a lot', null],
  ['My husband and I visited Prague', null],
  ['I had a ball when my friends and I ran a race', null],
  ['my favourite was when we lost and I cried', null],
  ['I practise and train every day', null],
  ['My boss says "I will go, I am tired" each day', null],
  ['I went to Rome and visited the Vatican', ['I went to Rome', 'I visited the Vatican']],
];
