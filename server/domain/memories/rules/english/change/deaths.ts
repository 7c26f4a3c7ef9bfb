// Deaths of people and animals: whatever they did ends with them.
import type { VerbPhrase } from '../grammar/verb-phrase.ts';
import { type Subject, subjectOf } from '../subject.ts';

/** "died laughing", "died in the game", "dead tired", "is dead to us": nobody died. */
const FIGURE =
  /^(?:laughing|inside|a (?:bit|little|thousand)|(?:of|from) (?:laughter|laughing|embarrassment|shame|boredom|hunger|thirst|envy|joy|curiosity)|on (?:me|us|the user|stage)\b)/;
/** Words of stories, whose events happened to nobody. */
export const FICTION =
  /\b(?:game|dream|dreamed|dreamt|film|movie|book|novel|series|episode|season|campaign|level|sims|story|character)\b/i;
const DEAD = /^(?:dead|no longer with us)(?=$|[,;]| (?:now|since|at|and|after|on|in|for)\b)/;
/** "had to have Pepper put to sleep"; "put Leo to sleep" is told of a child at night. */
const PUT_DOWN =
  /^(?:to )?(?:have |had )?(?<who>(?:the user's )?[\p{L}'’ -]{2,40}?) (?:be )?put (?:to sleep|down)(?=$|[,;]| (?:on|in|at|last|yesterday|today|because|after|before)\b)/u;
/** "had to have", "needed to get"; "asked Sam" is another act. */
const HAS_DONE = /^(?:have|get|need|decide)$/;
const FUNERAL = /^(?:funeral|burial|cremation)$/;

export const isOnlyNearly = ({ adverbs }: VerbPhrase): boolean =>
  adverbs.some((adverb) => adverb === 'nearly' || adverb === 'almost');

/** For a person or an animal alone: a phone dies too. */
export const isDeath = (verb: VerbPhrase): boolean => {
  if (verb.negated || verb.modal !== null || isOnlyNearly(verb)) return false;
  if (FIGURE.test(verb.rest) || FICTION.test(verb.rest)) return false;
  if (verb.lemma === 'be')
    return verb.tense === 'past'
      ? /^put (?:to sleep|down)\b/.test(verb.rest)
      : DEAD.test(verb.rest) && verb.tense === 'present';
  const isDone = verb.tense === 'past' || verb.perfect;
  return isDone && (verb.lemma === 'die' || (verb.lemma === 'pass' && /^away\b/.test(verb.rest)));
};

/** Somebody, or somebody of whom nothing tells who they are but a name. */
const isSomebody = ({ isPerson, owner, noun }: Subject): boolean =>
  isPerson || (owner === null && /^\p{Lu}\p{L}*$/u.test(noun ?? ''));

/** The key of whoever died, by what the clause says; null for most. */
export const whoDied = (subject: Subject, verb: VerbPhrase): string | null => {
  if (subject.key === 'user') {
    const isSo = HAS_DONE.test(verb.lemma) && !verb.negated && verb.modal === null;
    const who = isSo ? PUT_DOWN.exec(verb.rest)?.groups?.who : undefined;
    return who === undefined ? null : subjectOf(who).key;
  }
  if (subject.owner !== null && FUNERAL.test(subject.head ?? '')) return subject.owner;
  return isDeath(verb) && isSomebody(subject) ? subject.key : null;
};
