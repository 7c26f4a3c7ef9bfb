// Changes the first person to the third: "I moved with my dog" → "Anna moved with their dog".

import { quotedIn } from './quotes.ts';
import { hasForm, thirdPerson, type VerbToken, verbTokensOf } from './verbs.ts';
import { ADVERBS, type Token } from './words.ts';

/** The name of a speaker with a known role only. */
export const UNNAMED = 'the user';

/** The speaker and the listener. */
export interface Voice {
  /** "Anna", or "the user" if there is no name. */
  readonly name: string;
  /** Null: no known listener. */
  readonly listener: string | null;
}

const AUXILIARIES: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  "aren't": "isn't",
  have: 'has',
  "haven't": "hasn't",
  "don't": "doesn't",
  do: 'does',
  were: 'was',
  "weren't": "wasn't",
};

const UNCHANGED = new Set(
  "is was has had will would can could may might must shall should did didn't won't wouldn't can't couldn't wasn't hadn't shouldn't mustn't used ought".split(
    ' ',
  ),
);

const HABIT = /\b(?:every|usually|always|often|sometimes|never|daily|each|normally|rarely|typically)\b/i;

const possessive = (name: string): string => `${name}'s`;

const isFiniteVerb = (token: VerbToken): boolean =>
  UNCHANGED.has(token.lower) || token.lower in AUXILIARIES || hasForm(token, 'past');

/** Words around a pronoun that decide its form. */
interface Place {
  readonly text: string;
  readonly tokens: readonly VerbToken[];
  readonly at: number;
}

/** "My husband and I" takes the plural. After a verb, "and I" begins another clause. */
const isJoined = ({ text, tokens, at }: Place): boolean => {
  const [before, and] = tokens.slice(Math.max(at - 2, 0), at);
  if (tokens[at + 1]?.lower === 'and') return true;
  if (and?.lower !== 'and' || tokens.slice(0, at).some(isFiniteVerb)) return false;
  return !text.slice(before?.end, and.start).includes(',');
};

const isNoLonger = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.lower === 'no' && tokens[at + 1]?.lower === 'longer';

/** The token after `at` that carries the verb's ending; -1 if only adverbs follow. */
const verbAfter = (tokens: readonly Token[], at: number): number => {
  let next = at + 1;
  while (ADVERBS.has(tokens[next]?.lower ?? '') || isNoLonger(tokens, next) || isNoLonger(tokens, next - 1))
    next++;
  return next < tokens.length ? next : -1;
};

const verbFor = (token: VerbToken, habitual: boolean): string =>
  AUXILIARIES[token.lower] ?? (UNCHANGED.has(token.lower) ? token.word : thirdPerson(token, habitual));

/** "am I", "have we" after a question word keep their verb in front: only the rest is changed. */
const agree = (place: Place, changes: Map<number, string>, habitual: boolean): void => {
  if (isJoined(place)) return;
  const verb = verbAfter(place.tokens, place.at);
  const token = place.tokens[verb];
  if (!token) return;
  changes.set(verb, verbFor(token, habitual));
  for (const [further, word] of sharedVerbs(place, verb, habitual)) changes.set(further, word);
};

/** After these words, a plain verb after "and" is no verb of the subject: "I want to cook and eat". */
const KEEPS_PLAIN =
  /^(?:to|can|can't|will|won't|would|could|might|may|should|must|shall|let|help|make|did|didn't|do|don't|does|doesn't)$/;

/** Behind "but" or "and", a verb has the subject of the verb before: "but haven't in a while", "and walk along". */
const sharedVerbs = ({ tokens }: Place, verb: number, habitual: boolean): [number, string][] => {
  const last = tokens.findIndex(({ lower }, at) => at > verb && lower === 'i');
  const clause = last < 0 ? tokens : tokens.slice(0, last);
  return clause.flatMap((token, at) => {
    if (at <= verb + 1 || !/^(?:but|and)$/.test(clause[at - 1]?.lower ?? '')) return [];
    const auxiliary = /^(?:haven't|don't|am)$/.test(token.lower);
    const isPlain =
      !clause.slice(verb, at).some(({ lower }) => KEEPS_PLAIN.test(lower)) &&
      token.pos === 'VERB' &&
      hasForm(token, 'plain') &&
      !hasForm(token, 'past') &&
      /^(?:ADP|DET|PRON|ADV|PART|NOUN|PROPN)$/.test(clause[at + 1]?.pos ?? '');
    return auxiliary || isPlain ? [[at, verbFor(token, habitual)]] : [];
  });
};

/** "The user thinks they will go": the second mention of an unnamed speaker is "they", with a plural verb. */
const again = ({ tokens, at }: Place, changes: Map<number, string>): string => {
  const verb = verbAfter(tokens, at);
  const plural = PLURAL[tokens[verb]?.lower ?? ''];
  if (plural) changes.set(verb, plural);
  return 'they';
};

const PLURAL: Readonly<Record<string, string>> = { am: 'are', was: 'were', "wasn't": "weren't" };

interface State {
  /** True if the speaker has been named as a subject, so that "their" is clear. */
  named: boolean;
}

interface Rewriting {
  readonly state: State;
  readonly changes: Map<number, string>;
  readonly habitual: boolean;
}

/** "The salt mine" is nobody's, and "my sister Mine" has a name. */
const isPit = ({ text, tokens, at }: Place): boolean => {
  const [further, before, here] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (!here || !before || text.slice(before.end, here.start) !== ' ') return false;
  if (before.pos === 'DET' || here.word === 'Mine') return true;
  return /^(?:ADJ|NOUN)$/.test(before.pos) && further?.pos === 'DET' && !/['’]s$/.test(before.lower);
};

const ownWord = (place: Place, voice: Voice, { state, changes, habitual }: Rewriting): string | null => {
  const { name } = voice;
  switch (place.tokens[place.at]?.lower) {
    case 'i':
      if (state.named && name === UNNAMED) return again(place, changes);
      agree(place, changes, habitual);
      state.named = true;
      return name;
    case 'my':
      return state.named ? 'their' : possessive(name);
    case 'our':
      return state.named ? 'their' : possessive(name);
    case 'me':
      return state.named && name === UNNAMED ? 'them' : name;
    case 'mine':
      return isPit(place) ? null : possessive(name);
    case 'ours':
      return possessive(name);
    case 'myself':
      return 'themself';
    case 'we':
      state.named = true;
      return `${name} and others`;
    case 'us':
      return `${name} and others`;
    case 'ourselves':
      return 'themselves';
    default:
      return null;
  }
};

/** "if you want": "you" is the subject of the verb that follows. */
const hasOwnVerb = ({ tokens, at }: Place): boolean => {
  const verb = tokens[verbAfter(tokens, at)];
  if (!verb) return false;
  const isSubject =
    at === 0 ||
    /^(?:if|when|that|because|as|since|and|but|so|while|what|how)$/.test(tokens[at - 1]?.lower ?? '');
  return (
    /^(?:are|have|were|do|don't|aren't|haven't)$/.test(verb.lower) ||
    (isSubject && verb.pos === 'VERB' && hasForm(verb, 'plain') && !hasForm(verb, 'past'))
  );
};

const listenersWord = (place: Place, listener: string, changes: Map<number, string>): string | null => {
  switch (place.tokens[place.at]?.lower) {
    case 'you':
      if (hasOwnVerb(place)) agree(place, changes, false);
      return listener;
    case 'your':
    case 'yours':
      return possessive(listener);
    case 'yourself':
      return 'themself';
    default:
      return null;
  }
};

const OWN = /\b(?:I|my|me|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself)\b/i;

/** The clause in the third person. The subject's verb agrees with the new person. */
export const toThirdPerson = (clause: string, voice: Voice): string => {
  if (!OWN.test(clause)) return clause;
  const tokens = verbTokensOf(clause);
  const changes = new Map<number, string>();
  const state: State = { named: false };
  const habitual = HABIT.test(clause);
  const isQuoted = quotedIn(clause);
  for (let at = 0; at < tokens.length; at++) {
    // "US" is a country, and the "I" of a quotation is somebody else.
    if (tokens[at]?.word === 'US' || isQuoted(tokens[at]?.start ?? 0)) continue;
    const place = { text: clause, tokens, at };
    const word =
      ownWord(place, voice, { state, changes, habitual }) ??
      (voice.listener === null ? null : listenersWord(place, voice.listener, changes));
    if (word !== null) changes.set(at, word);
  }
  return replaceTokens(clause, tokens, changes);
};

export const replaceTokens = (
  text: string,
  tokens: readonly Token[],
  changes: ReadonlyMap<number, string>,
): string => {
  let done = 0;
  let result = '';
  tokens.forEach(({ start, end }, at) => {
    const word = changes.get(at);
    if (word === undefined) return;
    result += text.slice(done, start) + word;
    done = end;
  });
  return result + text.slice(done);
};

/** Examples: a sentence from Anna to Bob, and its third person. */
export const personExamples: readonly (readonly [string, string])[] = [
  ['I live in Berlin', 'Anna lives in Berlin'],
  ['I am a nurse and I have a dog', 'Anna is a nurse and Anna has a dog'],
  ['I really try to finish my book', 'Anna really tries to finish their book'],
  ['My sister visited me', "Anna's sister visited Anna"],
  ["I don't eat meat", "Anna doesn't eat meat"],
  ['I have never been to Japan', 'Anna has never been to Japan'],
  ['We went camping', 'Anna and others went camping'],
  ['My husband and I visited Prague', "Anna's husband and Anna visited Prague"],
  ['I read a book yesterday', 'Anna read a book yesterday'],
  ['I usually read before bed', 'Anna usually reads before bed'],
  ['I bought you a scarf', 'Anna bought Bob a scarf'],
  ['I no longer like sushi', 'Anna no longer likes sushi'],
  ['I need a new lamp', 'Anna needs a new lamp'],
  ["I used to run but haven't in a while", "Anna used to run but hasn't in a while"],
  ['I bought a detector and walk along the beach', 'Anna bought a detector and walks along the beach'],
  ['I watch films and keep lists', 'Anna watches films and keeps lists'],
  ['I want to cook and eat', 'Anna wants to cook and eat'],
  ['We can go if you want', 'Anna and others can go if Bob wants'],
  ['I flew to the US', 'Anna flew to the US'],
  ['I work in the salt mine', 'Anna works in the salt mine'],
  ['The blue coat is mine', "The blue coat is Anna's"],
  ['My boss says "I will be away"', 'Anna\'s boss says "I will be away"'],
];
