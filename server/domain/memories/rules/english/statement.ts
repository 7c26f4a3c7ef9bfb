// Finishes one clause of a speaker: third person, dates instead of relative days, references resolved if possible.
import { createMemo } from '../../../../lib/memo.ts';
import { once } from '../../../../lib/once.ts';
import { pointsAway } from './acceptable.ts';
import { type FoundSpan, spansOf, writeOut } from './days.ts';
import { expiryOf } from './expiry.ts';
import type { Mentions } from './grammar/mentions.ts';
import { toThirdPerson, type Voice } from './grammar/person.ts';
import { type Inflection, isPastForm, type VerbToken, verbTokensOf } from './grammar/verbs.ts';
import { capitalised, withoutEnd } from './grammar/words.ts';
import { isDenial } from './sentences/denials.ts';
import { subjectFirst } from './sentences/fronts.ts';

export interface Told {
  readonly memory: string;
  /** True if the clause depends on the one before: "It was crowded". */
  readonly leans: boolean;
  readonly eventDates: readonly number[];
  readonly forgetAfter: number | null;
}

/** "…, and it was so powerful": a comment on the statement. */
const COMMENT =
  /,? (?:and|but|so|-) (?:it|that|this) (?:\p{L}+ ){0,2}?(?:is|was|has been|were|sounds?|sounded|feels?|felt|makes?|made|helps?|helped|seems?|wasn't|isn't|gives?|gave|means?|meant|strengthened|bonded|warmed|lifted|boosted)\b(?!.*\d|.*\b(?:called|named|now|instead)\b).*$|, (?:it|that|this|they) (?:\p{L}+ ){0,2}?(?:is|are|was|were|has been|sounds?|feels?|felt|makes?|made|gives?|helps?|keeps?|brings?)\b(?!.*(?:\d|\p{Lu}|\b(?:called|named|now|instead)\b)).*$|,? which (?:\p{L}+ ){0,1}?(?:is|was|makes|made|feels|felt|wasn't) (?:so |really |very |super |such |pretty |a |an )*\p{L}+$|, which \p{L}+s (?:me|us)$|,? (?:speaking of|on another note)$/u;
const AHEAD = /\b(?:will|won't|going to|is \p{L}+ing|are \p{L}+ing|tomorrow|upcoming)\b/u;
const BEHIND = /\b(?:was|were|did|didn't|had|been|ago|yesterday)\b/;

/** "is closed on Friday", "gets paid": the participle is no past. */
const PRESENT_PASSIVE = /^(?:am|is|are|isn't|aren't|gets?)$/;

const isPast = (clause: string): boolean =>
  BEHIND.test(clause) ||
  (!AHEAD.test(clause) &&
    verbTokensOf(clause).some(
      (token, at, all) => at > 0 && isPlainlyPast(token) && !PRESENT_PASSIVE.test(all[at - 1]?.lower ?? ''),
    ));

/** "read" and "put" have the same form in past and present. */
const isPlainlyPast = (token: VerbToken): boolean =>
  isPastForm(token) &&
  !/^(?:read|put|set|cut|let|hit|cost|hurt|shut|bet|spread|beat|split|quit|run|come|become|based|called|named|located|married)$/.test(
    token.lower,
  );

/** "…, starting in September": what was agreed lies ahead. */
const BEGINNING = /^They (?:starting|beginning|commencing|joining|expiring|ending|due|effective|valid)\b/i;

/** "booked flights to Oslo for May", "signed up for the marathon in April": the day is that of what was booked. */
const BOOKED =
  /\b(?:(?:booked|reserved|scheduled) (?!it\b|them\b|this\b|that\b)|(?:registered|signed up|enrolled|got in) for |(?:tickets?|reservations?|seats?|appointments?) (?:for|to) )/;

/** "They start", "it expires": the first verb of a part, beside its subject, is in the present. */
const isPresent = (part: string): boolean => {
  const verb = verbTokensOf(part)
    .slice(1, 3)
    .find((token) => token.verb);
  return verb?.verb !== undefined && ['plain', 's'].some((form) => verb.verb?.forms.has(form as Inflection));
};

const isAhead = (part: string): boolean => AHEAD.test(part) || BEGINNING.test(part) || isPresent(part);

const JOINT = /(?:[,;]| and| but)\s/g;

/** "Anna moved in May and is learning to bake": a day belongs to the verb of its part, if that says when. */
const isPastAt = (text: string, at: number, isPastWhole: () => boolean): boolean => {
  const joints = [...text.matchAll(JOINT)].map(({ index, 0: joint }) => ({
    from: index,
    to: index + joint.length,
  }));
  const before = joints.findLast(({ to }) => to <= at);
  const after = joints.find(({ from }) => from > at);
  if (BOOKED.test(text.slice(before?.to ?? 0, at))) return false;
  if (before === undefined && after === undefined) return isPastWhole();
  // The subject of a later part stands in the first one.
  const part = `${before === undefined ? '' : 'They '}${text.slice(before?.to ?? 0, after?.from)}`;
  return isPast(part) || (!isAhead(part) && isPastWhole());
};

const spanDates = (spans: readonly FoundSpan[]): number[] =>
  [...new Set(spans.map(({ from }) => from))].sort((a, b) => a - b);

/** "It isn't dairy, it is egg" says the second half in earnest. */
const withoutComment = (text: string): string => (isDenial(text) ? text : text.replace(COMMENT, ''));

/** The finished clause, with its days written out. */
export const told = (text: string, saidAt: number | null): Omit<Told, 'leans'> => {
  // Only a relative time asks for the tense, and few sentences have one.
  const isBehind = once(() => isPast(text));
  const spans = spansOf(text, saidAt, (at) => !isPastAt(text, at, isBehind));
  return {
    memory: capitalised(withoutEnd(withoutComment(writeOut(text, spans))).replace(/\s+/g, ' ')),
    eventDates: spanDates(spans),
    forgetAfter: expiryOf(text, spans, saidAt, isBehind),
  };
};

const remembered = createMemo<Omit<Told, 'leans'>>(16);

export const standaloneStatement = (
  clause: string,
  voice: Voice,
  mentions: Mentions,
  saidAt: number | null,
): Told => {
  const ordered = subjectFirst(withoutEnd(clause));
  const resolved = mentions.resolve(ordered);
  const clear = resolved ?? ordered;
  // A sentence of which the grammar makes nothing is finished again to be kept as it was said.
  const finished = remembered(`${saidAt} ${voice.name} ${voice.listener}: ${clear}`, () =>
    told(toThirdPerson(clear, voice), saidAt),
  );
  return { ...finished, leans: resolved === null || pointsAway(finished.memory) };
};
