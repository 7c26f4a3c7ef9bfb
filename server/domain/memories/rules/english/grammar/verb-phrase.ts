// Reads the verb of a finished statement: its plain form, tense, negation and modal, and the words after it.
import { hasForm, type Inflection, isPastForm, type VerbToken } from './verbs.ts';
import { ADVERBS, wordSet } from './words.ts';

export type Tense = 'present' | 'past' | 'future';

export interface VerbPhrase {
  /** The plain form: "live" for "has been living". */
  readonly lemma: string;
  readonly tense: Tense;
  /** "has lived": a past start that may continue. */
  readonly perfect: boolean;
  readonly progressive: boolean;
  /** "might", "would", "can", …; null without one. */
  readonly modal: string | null;
  readonly negated: boolean;
  /** "no longer", "used to", "stopped": a state that has ended. */
  readonly ended: boolean;
  readonly usedTo: boolean;
  /** "started working". */
  readonly starting: boolean;
  readonly adverbs: readonly string[];
  /** The words after the verb. */
  readonly rest: string;
}

const BE = /^(?:is|are|am|was|were|be|been|isn't|aren't|wasn't|weren't)$/;
const HAVE = /^(?:has|have|had|hasn't|haven't|hadn't)$/;
const DO = /^(?:does|do|did|doesn't|don't|didn't)$/;
const MODAL =
  /^(?:will|won't|would|wouldn't|can|can't|could|couldn't|may|might|must|mustn't|should|shouldn't|shall)$/;

export const isAuxiliary = (lower: string): boolean =>
  BE.test(lower) || HAVE.test(lower) || DO.test(lower) || MODAL.test(lower);

const LIGHT_STARTS = wordSet('start begin');
const LIGHT_STOPS = wordSet('stop quit');
const LIGHT_KEEPS = wordSet('keep go');
const TRAILING =
  /[\s,]+(?:any\s?more|any longer|now|right now|these days|nowadays|at the moment|currently|though|too|as well|either|at all|lately|again|already|actually|after all|in fact|a lot|very much|so much)$/i;
const OVER = /[\s,]+(?:any\s?more|any longer)\b/i;

interface Draft {
  lemma: string;
  tense: Tense;
  perfect: boolean;
  progressive: boolean;
  modal: string | null;
  negated: boolean;
  ended: boolean;
  usedTo: boolean;
  starting: boolean;
  adverbs: string[];
}

/** Walks over the words of a verb. `at` is the index of the next word. */
interface Walk {
  readonly tokens: readonly VerbToken[];
  at: number;
  readonly draft: Draft;
}

const lowerAt = (walk: Walk, shift = 0): string => walk.tokens[walk.at + shift]?.lower ?? '';

const skipAdverbs = (walk: Walk): void => {
  for (;;) {
    const lower = lowerAt(walk);
    if (lower === 'not') walk.draft.negated = true;
    else if (lower === 'never') {
      walk.draft.negated = true;
      walk.draft.adverbs.push(lower);
    } else if (lower === 'no' && lowerAt(walk, 1) === 'longer') {
      walk.draft.negated = true;
      walk.draft.ended = true;
      walk.at++;
    } else if (ADVERBS.has(lower)) walk.draft.adverbs.push(lower);
    else return;
    walk.at++;
  }
};

const hasFormAt = ({ tokens, at }: Walk, shift: number, form: Inflection): boolean =>
  hasForm(tokens[at + shift], form);

const isPastAt = ({ tokens, at }: Walk): boolean => {
  const token = tokens[at];
  return token !== undefined && isPastForm(token);
};

const unknownLemma = (lower: string): string =>
  lower.replace(/(?:ies|ied)$/, 'y').replace(/(?:es|ed|s)$/, '');
const lemmaHere = (walk: Walk): string => walk.tokens[walk.at]?.verb?.lemma ?? unknownLemma(lowerAt(walk));

/** Takes the word as the main verb, and continues after verbs such as "start", "stop" and "keep". */
const takeMain = (walk: Walk): void => {
  walk.draft.lemma = lemmaHere(walk);
  walk.at++;
  if (walk.draft.lemma === 'give' && lowerAt(walk) === 'up' && hasFormAt(walk, 1, 'ing')) {
    walk.at++;
    walk.draft.lemma = 'stop';
  }
  if (!hasFormAt(walk, 0, 'ing')) return;
  const { lemma } = walk.draft;
  if (LIGHT_STARTS.has(lemma)) walk.draft.starting = true;
  else if (LIGHT_STOPS.has(lemma)) Object.assign(walk.draft, { negated: true, ended: true });
  else if (!LIGHT_KEEPS.has(lemma)) return;
  walk.draft.lemma = lemmaHere(walk);
  walk.at++;
};

const afterBe = (walk: Walk): void => {
  skipAdverbs(walk);
  const next = lowerAt(walk);
  if (next === 'going' && lowerAt(walk, 1) === 'to' && hasFormAt(walk, 2, 'plain')) {
    walk.draft.tense = 'future';
    walk.at += 2;
    takeMain(walk);
  } else if (hasFormAt(walk, 0, 'ing')) {
    walk.draft.progressive = true;
    takeMain(walk);
  } else walk.draft.lemma = 'be';
};

const afterHave = (walk: Walk): void => {
  const before = walk.at;
  skipAdverbs(walk);
  const next = lowerAt(walk);
  if (next === 'been') {
    walk.draft.perfect = true;
    walk.at++;
    afterBe(walk);
  } else if (next === 'got' && !/^(?:married|engaged|divorced|to|into|back)$/.test(lowerAt(walk, 1))) {
    walk.draft.lemma = 'have';
    walk.at++;
  } else if (isPastAt(walk)) {
    walk.draft.perfect = true;
    takeMain(walk);
  } else {
    walk.at = before;
    // "had to give away": it was done.
    if (next === 'to' && walk.draft.tense === 'past' && hasFormAt(walk, 1, 'plain')) {
      walk.at++;
      takeMain(walk);
    } else walk.draft.lemma = 'have';
  }
};

const afterModal = (walk: Walk, word: string): void => {
  walk.draft.modal = word.replace(/n't$/, '').replace(/^ca$/, 'can').replace(/^wo$/, 'will');
  if (walk.draft.modal === 'will') walk.draft.tense = 'future';
  skipAdverbs(walk);
  if (lowerAt(walk) === 'be') {
    walk.at++;
    afterBe(walk);
  } else takeMain(walk);
};

const takeVerb = (walk: Walk): void => {
  const lower = lowerAt(walk);
  const { draft } = walk;
  if (/n't$/.test(lower)) draft.negated = true;
  if (/^(?:was|were|had|did)/.test(lower)) draft.tense = 'past';
  if (BE.test(lower)) {
    walk.at++;
    afterBe(walk);
  } else if (HAVE.test(lower)) {
    walk.at++;
    afterHave(walk);
  } else if (DO.test(lower)) {
    walk.at++;
    skipAdverbs(walk);
    if (hasFormAt(walk, 0, 'plain')) takeMain(walk);
    else draft.lemma = 'do';
  } else if (MODAL.test(lower)) {
    walk.at++;
    afterModal(walk, lower);
  } else if (lower === 'used' && lowerAt(walk, 1) === 'to') {
    Object.assign(draft, { ended: true, usedTo: true, tense: 'past' });
    walk.at += 2;
    takeMain(walk);
  } else {
    const known = walk.tokens[walk.at]?.verb;
    if (known && (known.forms.has('past') || !(known.forms.has('s') || known.forms.has('plain'))))
      draft.tense = 'past';
    takeMain(walk);
  }
};

/** The verb that begins at the token `at`. */
export const verbPhraseAt = (text: string, tokens: readonly VerbToken[], at: number): VerbPhrase => {
  const draft: Draft = {
    lemma: '',
    tense: 'present',
    perfect: false,
    progressive: false,
    modal: null,
    negated: false,
    ended: false,
    usedTo: false,
    starting: false,
    adverbs: [],
  };
  const walk: Walk = { tokens, at, draft };
  skipAdverbs(walk);
  takeVerb(walk);
  let rest = text.slice(walk.tokens[walk.at - 1]?.end ?? text.length).trim();
  if ((draft.negated || /^no\b/.test(rest)) && OVER.test(` ${rest}`)) draft.ended = true;
  for (let cut = rest.replace(TRAILING, ''); cut !== rest; cut = rest.replace(TRAILING, '')) {
    if (/\bnow$|days$|currently$|moment$/i.test(rest)) draft.adverbs.push('now');
    if (/\bagain$/i.test(rest)) draft.adverbs.push('again');
    rest = cut;
  }
  if (/^again$/i.test(rest)) draft.adverbs.push('again');
  return { ...draft, rest: rest.replace(/^(?:again|any\s?more|any longer|now|a lot)$/i, '') };
};

/** True if the verb describes a present state: "lives", "is living", "has lived", "started to live". */
export const isNow = (verb: VerbPhrase): boolean =>
  verb.modal === null &&
  verb.tense !== 'future' &&
  (verb.tense === 'present' || verb.perfect || verb.starting || verb.ended);
