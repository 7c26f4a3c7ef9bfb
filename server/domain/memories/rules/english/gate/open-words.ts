// Words of a finished statement that stand for what was said or shown before, so that nobody else knows what it is about.
import { isEverydayNoun } from '../grammar/mention.ts';
import { isManyNoun, isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner, wordSet } from '../grammar/words.ts';
import { isVagueNoun } from './vague-words.ts';
import { withoutDay } from './written-days.ts';

/** "a bunch of them", "a few of those". */
const SOME_OF = /\b(?:one|some|many|few|lot|lots|bunch|all|most|any) of (?:it|them|these|those)\b/i;

const SPANS =
  'days?|times?|mornings?|afternoon|evenings?|nights?|weeks?|weekends?|months?|years?|spring|summer|autumn|fall|winter|season|term';
/** "a fan of this genre", "this instrument, which": it was shown, and nothing behind it tells what it is. */
const SHOWS = new RegExp(
  String.raw`\b(?:this|these|those) (?!(?:${SPANS})\b)(?:(?!that\b|who\b)\p{L}[\p{L}'’-]* ?){0,4}?(?=$|,| (?:which|but|so|because|is|are|was|were)\b)|\b(?:with|from|of|about|for|like|to) that (?:\p{L}[\p{L}'’-]* ){0,2}\p{L}+(?=$|,)`,
  'iu',
);
/** "took this pic in summer". */
const SHOWN_ALONE =
  /\bthis (?!(?:day|time|morning|afternoon|evening|night|week|weekend|month|year|spring|summer|autumn|fall|winter|season|term)$)\p{L}+$|\bthat (?:pic|photo|picture|shot|one|painting|drawing|piece)$/iu;
/** "wants them to learn that too", "painted this after", "something similar": the word alone. */
const POINTS =
  /\bsome(?=$| to \p{Ll})|^(?:[^,]*, )?something(?: \p{L}+)? happened\b|\b(?:on|about) something\b|(?<!\b(?:stuff|things) like |, (?:and|but|so)\b.*)\b(?:that|this|those|these)(?=$|[,.;]| (?:too|as well|either|again|after|yet|now|and|but|so|because|when|since)\b)|\b(?:something|anything) (?:similar|like (?:it|that|this))\b|\b(?:does|do|did|doing|done|the) the same(?=$|,)/iu;

const OPEN = /^(?:it|them|they|there|here|one|he|him|his|she|her|hers)$/;
const OF_A_PERSON = /^(?:he|him|his|she|her|hers)$/;
const LIKES = wordSet('hate love like enjoy prefer dislike appreciate mind stand');
const BEGINS_CLAUSE = /^(?:when|that|if)$/;
const IS = /^(?:is|are|was|were|has|have)$/;

/** "They asked Anna to teach": it matters little who did. */
export const BY_SOMEBODY =
  /\bthey (?:have |had |also |just |even )*(?:asked|invited|offered|gave|hired|chose|selected|accepted|awarded|told|taught|made|let|promoted|diagnosed|sent|paid|moved) (?<whom>\p{L}+)/iu;

/** In words: a statement stands before. */
const LATE = 3;

interface Place {
  readonly tokens: readonly VerbToken[];
  readonly at: number;
}

/** "There is", "hates it when", "makes it to", "one day", "one of the dogs": the word stands for nothing that was named. */
const isNotOpen = ({ tokens, at }: Place): boolean => {
  const [before, { lower = '', word = '' } = {}, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const behind = next?.lower ?? '';
  if (word === 'IT') return true;
  // "Anna lost the keys, it has become a ritual": what the clause before tells.
  if (
    lower === 'it' &&
    at >= LATE &&
    /^(?:AUX|VERB)$/.test(next?.pos ?? '') &&
    before?.verb === undefined &&
    before?.pos !== 'ADP'
  )
    return true;
  if (lower === 'it')
    return (
      (LIKES.has(before?.verb?.lemma ?? '') && BEGINS_CLAUSE.test(behind)) ||
      (behind === 'to' && before?.verb?.lemma === 'make')
    );
  // "baked bread there": where it was adds little to what was done. "wants to try the bread there" is about the place.
  if (lower === 'there' || lower === 'here') {
    const isMeant = tokens.slice(Math.max(0, at - 4), at).some((token) => token.lower === 'to');
    return (
      IS.test(behind) ||
      /^(?:up|out)$/.test(before?.lower ?? '') ||
      (before?.pos === 'NOUN' && before.verb === undefined && !isMeant)
    );
  }
  if (lower !== 'one') return false;
  if (behind === 'of')
    return !/^(?:my|our|their|his|her|your) own$/.test(`${tokens[at + 2]?.lower} ${tokens[at + 3]?.lower}`);
  return behind === 'day' || /^(?:NOUN|PROPN|ADJ|NUM)$/.test(next?.pos ?? '');
};

/** Nouns that mean several people. */
const GROUPS = wordSet(
  'family fam team group company shelter club band class school clinic staff crowd couple crew gang church hospital library agency audience community police organisation organization foundation charity store shop center centre',
);

const isPlural = (lower: string): boolean => isManyNoun(lower) || /[^s'’uia]s$/.test(lower);

/** A place, which follows a word for one: "in the hall", "to Rome". */
const isPlaceNoun = ({ tokens, at }: Place): boolean => {
  const before = tokens.slice(0, at).findLast(({ pos }) => !/^(?:DET|ADJ|NOUN|PROPN|NUM)$/.test(pos));
  return /^(?:in|at|to|from|near|visited|visiting|visit)$/.test(before?.lower ?? '');
};

/** True if the noun may be what the open word means. */
const fits = (open: string, place: Place, own: ReadonlySet<string>): boolean => {
  const { pos = '', lower = '' } = place.tokens[place.at] ?? {};
  const noun = withoutOwner(lower);
  if (!/^(?:NOUN|PROPN)$/.test(pos) || own.has(noun)) return false;
  if (OF_A_PERSON.test(open))
    return pos === 'PROPN' || isPersonNoun(noun) || isPetNoun(noun) || !isEverydayNoun(noun);
  if (open === 'there' || open === 'here') return !isPersonNoun(noun) && isPlaceNoun(place);
  if (/^the[ym]$/.test(open) && GROUPS.has(noun)) return true;
  if (isVagueNoun(noun)) return false;
  if (open === 'it')
    return !isPersonNoun(noun) && !isPetNoun(noun)
      ? pos === 'PROPN' || !isPlural(noun)
      : isPetNoun(noun) && !isPlural(noun);
  if (open === 'one') return !isPlural(noun) || pos === 'PROPN';
  return isPlural(noun) || pos === 'PROPN' || isPersonNoun(noun);
};

/** "John played one with friends", "stayed there quite a bit": no noun before the word tells what it means. */
const leavesThingOpen = (memory: string, own: ReadonlySet<string>): boolean => {
  const tokens = verbTokensOf(memory);
  const bySomebody = BY_SOMEBODY.exec(memory)?.groups?.whom;
  return tokens.some(({ lower }, at) => {
    if (at === 0 || !OPEN.test(lower) || isNotOpen({ tokens, at })) return false;
    if (lower === 'they' && own.has(bySomebody?.toLowerCase() ?? '')) return false;
    if (OF_A_PERSON.test(lower) && tokens.slice(0, at - 1).some(({ word }) => /['’]s?$/.test(word)))
      return false;
    const isOthers = tokens.slice(0, at).some(({ lower: before }) => before === 'others');
    if (isOthers && /^the[ym]/.test(lower)) return false;
    return !tokens.slice(0, at).some((_, noun) => fits(lower, { tokens, at: noun }, own));
  });
};

/** `own`: the names of the speaker and the listener. */
export const leavesWordOpen = (memory: string, own: ReadonlySet<string>): boolean =>
  SHOWS.test(memory) ||
  SHOWN_ALONE.test(withoutDay(memory)) ||
  SOME_OF.test(memory) ||
  POINTS.test(memory) ||
  leavesThingOpen(memory, own);
