// Restores omitted subjects: "Just got back from Rome" → "I just got back from Rome".
import { isAuxiliary } from '../grammar/verb-phrase.ts';
import { hasForm, type VerbToken, verbTokensOf } from '../grammar/verbs.ts';

const LEADING = /^(?:just|finally|already|recently|also|still|never|always|only|actually)$/;
const NOT_PAST =
  /^(?:bit|got|thought|said|made|based|located|founded|named|called|known|written|updated|posted|attached|given|seen|done|put|set|read|cut|let|hit|cost|shut|spread|bet|beat|split|meant|left|needed|provided|born|built|set)$/;
const GOT =
  /^(?:(?:just|finally|already|recently|also) )*(?:got|left|made) (?!(?:\p{L}+ )?(?:is|was|has)\b|(?:it|you|that|this|to)\b)/iu;
const STATES =
  /^(?:(?:currently|now|still|happily|recently|originally) )*(?:based (?:in|out)|born (?:in|and raised)|allergic to|married (?:to|since|for)|engaged to|retired|off (?:the|my) (?:crutches|diet|meds|medication|antibiotics|painkillers|pill)|vegetarian|vegan|(?:type \d )?diabetic|c(?:o)?eliac|dyslexic|originally from|interested in|working (?:at|for|as|on)|living (?:in|with)|studying|learning|training for|planning to|going to|moving to|reading|building|looking (?:for|into|at)|researching|hoping to|trying to|thinking (?:about|of))\b/i;
/** "Learning to paint is fun": the beginning is the subject. */
const OTHER_VERB =
  /\b(?:is|was|are|were|sounds?|makes?|seems?|can|helps?|takes?|feels?|looks?|brings?|has|keeps?|(?:pump|get|give|lift|inspire|motivate|fuel|fill|cheer|calm)s)\b/i;

const UNSAID =
  /^(?:(?:haven't|hadn't|didn't|can't|couldn't|won't|wouldn't|wasn't) (?!you\b|we\b|it\b|that\b|this\b|he\b|she\b|they\b|I\b)\p{L}+|(?:thought|bet|figured|guess) (?:I|my|that|it|the)\b|will (?:be|have|definitely|probably|try|take|go|do)\b)/iu;

/** "Please no calls", "no sugar any more": a wish of the speaker. */
const UNWANTED =
  /^(?:(?<please>please),? )?no (?<what>(?!(?:one|idea|problem|way|worries|need|doubt)\b)[^,;:]+?)(?<more> any ?more)?(?<after>,? please)?(?:,.*)?$/iu;

const unwanted = (sentence: string): string | null => {
  const { please, what, more, after } = UNWANTED.exec(sentence.replace(/[\s.!]+$/, ''))?.groups ?? {};
  if (what === undefined || (please ?? more ?? after) === undefined) return null;
  return `I want no ${what}${more ?? ''}`;
};

const NOW = '(?: (?:now|these days|from now on|any ?more|at the moment|until .+|till .+))';
/** "Only decaf for me now", "It's tea only for me these days": what the speaker has from now on. */
const ONLY_FOR_ME = new RegExp(
  `^(?:it is )?(?:(?:only|nothing but|all) (?<one>(?!(?:one|two|three|four|five|a|half|\\d+)\\b|.* left\\b)\\p{L}[^,;:]*?)|(?<other>\\p{L}[^,;:]*?) only) for me${NOW}$`,
  'iu',
);
/** "No more coffee for me", "No running for me till April"; "no dessert for me, thanks" is of one moment. */
const NONE_FOR_ME = new RegExp(
  `^no (?:(?<more>more )(?<what>\\p{L}[^,;:]*?) for me|(?<doing>\\p{L}+ing) for me)(?<when>${NOW})?$`,
  'iu',
);
/** "No more nights!" */
const NO_MORE_SHIFTS =
  /^no more (?<shifts>nights|earlies|lates|weekends|(?:night|day|weekend|split) shifts|commuting)$/i;
const COUNT = '(?:\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|half a)';
/** "Day 30 without a cigarette", "One year smoke-free": how long the speaker has kept it up. */
const DAY_WITHOUT = /^day (?<day>\d+) (?<rest>(?:without|of no) \p{L}.*)$/iu;
const LONG_WITHOUT = new RegExp(
  `^${COUNT} (?:full |whole )?(?:days?|weeks?|months?|years?)(?: (?:now|today))? (?:sober|clean|\\p{L}+[ -]free|without (?:an? )?\\p{L}+)(?: (?:now|today))?$`,
  'iu',
);

/** "They put me on days", "they have moved me to sales": by whom is not what is told. */
const BY_THEM =
  /^they(?: have|'ve)? (?:just |finally )?(?<did>moved|put|transferred|promoted|switched|assigned|fired|sacked|hired|laid) me (?<rest>(?:on|onto|to|back)\b(?! (?:hold|mute|edge|tears|sleep|bed|shame|the spot)\b).*|off(?=$|,| (?:again|in|on|until|till|for|last|today|yesterday)\b).*)$/iu;
/** "They have got me on the stroke unit". */
const HELD_BY_THEM = /^they(?: have|'ve)(?: got)? me (?<where>(?:on|at) (?!(?:hold|mute|edge|speed)\b).*)$/iu;

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const doneByThem = (sentence: string): string | null => {
  const { did, rest } = BY_THEM.exec(sentence)?.groups ?? {};
  if (did !== undefined) return `I was ${did.toLowerCase()} ${rest}`;
  const where = HELD_BY_THEM.exec(sentence)?.groups?.where;
  return where === undefined ? null : `I am ${where}`;
};

/** A turn that is told without a verb. */
const turnWithoutVerb = (sentence: string): string | null => {
  const plain = sentence.replace(/[\s.!]+$/, '');
  const { one, other } = ONLY_FOR_ME.exec(plain)?.groups ?? {};
  const only = one ?? other;
  if (only !== undefined) return `I have switched to ${lowered(only)} only`;
  const { what, doing, when = '' } = NONE_FOR_ME.exec(plain)?.groups ?? {};
  if (doing !== undefined) return `I have stopped ${doing.toLowerCase()}${when}`;
  const shifts = NO_MORE_SHIFTS.exec(plain)?.groups?.shifts;
  if (shifts !== undefined) return `I no longer do ${shifts.toLowerCase()}`;
  if (what !== undefined) return `I no longer have ${what}`;
  const { day, rest } = DAY_WITHOUT.exec(plain)?.groups ?? {};
  if (day !== undefined) return `I am on day ${day} ${rest}`;
  return LONG_WITHOUT.test(plain) ? `I have been ${lowered(plain)}` : null;
};

/** "Cancelled my gym": with a capital, the tagger takes a word that it does not know for a name. */
const firstVerb = (sentence: string, words: readonly VerbToken[]): VerbToken | undefined => {
  const [first, second] = words;
  const isTaken = /ed$/.test(first?.lower ?? '') && /^(?:my|our|the|an?|all)$/.test(second?.lower ?? '');
  if (!isTaken || first?.verb !== undefined) return first;
  return verbTokensOf(sentence.charAt(0).toLowerCase() + sentence.slice(1))[0];
};

/** "Twisted my knee": no noun stands before "my". */
const OWN_ED = /^\p{L}{3,}ed my \p{Ll}/iu;

/** "Left is 3.0 now", "Left knee is fine": the word belongs to the subject of another verb. */
const HAS_VERB = /^(?:is|are|was|were|has|will|can|does|isn't|wasn't)$/;

/** "Quit the choir": the form is that of a request, and people seldom ask for it. */
const isUnsaidEnd = (sentence: string): boolean => /^quit (?:my|our|the)\b/i.test(sentence);

/** People call their own parents and grandparents so. */
const OWN_KIN =
  /^(?:mum|mom|mummy|mam|dad|daddy|grandma|granny|nan|nana|grandad|granddad|grandpa)(?<owns>'s)? /i;

/** "Dad can't drive", "mum's car is red". */
const isOwnKin = (sentence: string): boolean => {
  const found = OWN_KIN.exec(sentence);
  if (!found) return false;
  const [, next, last] = verbTokensOf(sentence);
  if (found.groups?.owns !== undefined) return last !== undefined && next?.pos === 'NOUN';
  return next !== undefined && (isAuxiliary(next.lower) || hasForm(next, 's') || hasForm(next, 'past'));
};

/** Sentences that can only be about the speaker: in a conversation the subject is often omitted. */
export const withSpeaker = (sentence: string): string => {
  const wish = unwanted(sentence);
  if (wish !== null) return wish;
  const done = doneByThem(sentence);
  if (done !== null) return done;
  const turn = turnWithoutVerb(sentence);
  if (turn !== null) return turn;
  if (isOwnKin(sentence)) return `my ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  if (UNSAID.test(sentence)) return `I ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  if (STATES.test(sentence) && !(/^\S*ing\b/i.test(sentence) && OTHER_VERB.test(sentence)))
    return `I am ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  if (GOT.test(sentence)) return `I ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  const words = verbTokensOf(sentence.slice(0, 60));
  let at = 0;
  while (LEADING.test(words[at]?.lower ?? '') && at < 3) at++;
  const verb = at === 0 ? firstVerb(sentence, words) : words[at];
  if (words.slice(at + 1, at + 3).some(({ lower }) => HAS_VERB.test(lower))) return sentence;
  const isPast =
    isUnsaidEnd(sentence) ||
    OWN_ED.test(sentence) ||
    (hasForm(verb, 'past') && !hasForm(verb, 'plain') && !NOT_PAST.test(verb?.lower ?? ''));
  if (
    /^(?:has |have )?been (?:an?|so|ages|forever|too|quite|great|good)\b|^(?:has |have )?been busy(?=$|[.,!])/i.test(
      sentence,
    )
  )
    return sentence;
  const isBeen =
    verb?.lower === 'been' ||
    (verb?.lower === 'was' && !/^(?:it|that|this|there|he|she|I)$/i.test(words[at + 1]?.word ?? ''));
  if (!isPast && !isBeen) return sentence;
  const rest = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  return verb?.lower === 'been' ? `I have ${rest}` : `I ${rest}`;
};

const LABEL = /^(?<label>[\p{L}']+(?: \p{L}+)?): (?<items>\S.*)$/u;
/** "Love: lentils" is said of the writer; "Work: nurse" names a field of life. */
const TASTES = /^(?:like|love|hate|dislike|enjoy|adore|avoid|prefer)$/i;
/** "Don't like", "Do eat", "Can't stand". */
const OWN_VERB = /^(?:do|don't|can't) \p{L}+$/iu;

/** A heading that is said of the writer: "Likes: pears" → "I like pears", "Allergic to: nuts" → "I am allergic to nuts". */
export const fromLabel = (line: string): string => {
  const { label = '', items = '' } = LABEL.exec(line)?.groups ?? {};
  if (OWN_VERB.test(label)) return `I ${label.toLowerCase().replace(/^do /, '')} ${items}`;
  const [, first, second, ...more] = verbTokensOf(`Anna ${label.toLowerCase()}`);
  if (!first || more.length > 0) return line;
  if (TASTES.test(label)) return `I ${label.toLowerCase()} ${items}`;
  if (!second && first.verb?.forms.has('s')) return `I ${first.verb.lemma} ${items}`;
  return first.pos === 'ADJ' && second?.lower === 'to' ? `I am ${label.toLowerCase()} ${items}` : line;
};

export const restoredExamples: readonly (readonly [string, string])[] = [
  ['Just got back from Rome', 'I just got back from Rome'],
  ['Went hiking with Tom', 'I went hiking with Tom'],
  ['Been working on my thesis', 'I have been working on my thesis'],
  ['Based in Berlin', 'I am based in Berlin'],
  ['Moved to Munich', 'I moved to Munich'],
  ['Please no calls', 'I want no calls'],
  ['no sugar in my tea any more', 'I want no sugar in my tea any more'],
  ['Cancelled my gym', 'I cancelled my gym'],
  ['Quit the choir', 'I quit the choir'],
  ['Twisted my knee', 'I twisted my knee'],
  ['Mum works at the bank', 'my mum works at the bank'],
  ["Dad's car is red", "my dad's car is red"],
  ['Nan gave up smoking', 'my nan gave up smoking'],
  ['They put me on days', 'I was put on days'],
  ['They have me on the stroke unit', 'I am on the stroke unit'],
  ['Only decaf for me now', 'I have switched to decaf only'],
  ['It is tea only for me these days', 'I have switched to tea only'],
  ['No more coffee for me', 'I no longer have coffee'],
  ['No more nights!', 'I no longer do nights'],
  ['No running for me till April', 'I have stopped running till April'],
  ['No dessert for me', 'No dessert for me'],
  ['Day 30 without a cigarette', 'I am on day 30 without a cigarette'],
  ['One year smoke-free', 'I have been one year smoke-free'],
  ['No idea', 'No idea'],
  ['Great food there', 'Great food there'],
  ['Left is 3.0 now', 'Left is 3.0 now'],
  ['Married since 2011', 'I am married since 2011'],
];
