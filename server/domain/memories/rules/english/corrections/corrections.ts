// Corrects what was said in the same conversation: the corrected statement takes the place of the wrong one.
import type { RuleStatement } from '../../language.ts';
import { clauseOf } from '../grammar/clause.ts';
import { toThirdPerson, type Voice } from '../grammar/person.ts';
import { subjectOf } from '../subject.ts';
import { bareValue, type Correction, correctionIn } from './marks.ts';
import { createRecent, type Place, type Recent } from './recent.ts';
import { valuesIn } from './spans.ts';
import { isAboutSpelling, respelled } from './spelling.ts';
import { swapped } from './swap.ts';

export interface Correcting {
  readonly sentence: string;
  readonly voice: Voice;
  /** True if it may answer a question instead. */
  readonly answers: boolean;
  readonly place: Place;
}

export interface Corrected {
  readonly statements: readonly RuleStatement[];
  /** The rest of the sentence, beside its correction, in its own words. */
  readonly rest: string | null;
}

export interface Corrections {
  /** Starts another utterance. */
  turn(): void;
  note(by: string, statements: readonly RuleStatement[]): void;
  /** Null if the sentence corrects nothing. */
  correct(correcting: Correcting): Corrected | null;
  /** The statement of a whole corrected sentence takes the place of the one with its subject and verb. */
  replace(fresh: readonly RuleStatement[]): RuleStatement[];
  readonly withdrawn: ReadonlySet<RuleStatement>;
}

const hasFrameOf = (fresh: string, known: string): boolean => {
  const [one, two] = [clauseOf(fresh), clauseOf(known)];
  if (!one || !two || one.verb.lemma !== two.verb.lemma) return false;
  const [first, second] = [subjectOf(one.subject), subjectOf(two.subject)];
  if (first.key !== second.key && (first.head === null || first.head !== second.head)) return false;
  const kinds = valuesIn(one.verb.rest).map(({ kind }) => kind);
  return kinds.length === 0 || valuesIn(two.verb.rest).some(({ kind }) => kinds.includes(kind));
};

/** "She lives in Linz" still speaks of the statement before; "Rui lives in Faro" does not. */
const isOwnSentence = (fragment: string): boolean => {
  const subject = clauseOf(fragment)?.subject;
  return subject !== undefined && !/^(?:it|he|she|they|that|this)$/i.test(subject);
};

const swap = (
  recent: Recent,
  { value, wrong, isMarked }: Correction,
  { voice, place }: Correcting,
): RuleStatement[] | null => {
  const isPlain = isMarked || wrong !== null;
  const targets = recent.targetsOf(voice.name, isPlain);
  if (targets.length === 0) return null;
  const fragment = toThirdPerson(bareValue(value), voice);
  if (fragment === '' || isOwnSentence(fragment)) return null;
  const last = recent.lastOf(voice.name);
  for (const target of targets) {
    const isSure = isPlain && target === last;
    const found = recent.change(target, place, (memory) => swapped(memory, { fragment, wrong, isSure }));
    if (found) return found;
  }
  return null;
};

const respell = (recent: Recent, { sentence, voice, place }: Correcting): RuleStatement[] | null => {
  if (!isAboutSpelling(sentence)) return null;
  for (const target of recent.targetsOf(voice.name, true)) {
    const found = recent.change(target, place, (memory) => respelled(memory, sentence));
    if (found) return found;
  }
  return null;
};

export const createCorrections = (): Corrections => {
  const recent = createRecent();
  let goesOn = false;
  return {
    withdrawn: recent.withdrawn,
    turn: () => {
      recent.turn();
      goesOn = false;
    },
    note: recent.note,
    correct(correcting) {
      const { sentence, voice, answers } = correcting;
      const correction = correctionIn(sentence, goesOn);
      goesOn = false;
      if (answers && !correction?.withdraws) return null;
      const last = recent.lastOf(voice.name);
      const statements = respell(recent, correcting) ?? (correction && swap(recent, correction, correcting));
      if (correction?.withdraws && !statements && last) recent.withdraw(last);
      if (statements) return { statements, rest: null };
      if (!correction?.isMarked) return null;
      goesOn = correction.value === '';
      return { statements: [], rest: goesOn ? null : correction.value };
    },
    replace: (fresh) =>
      fresh.map((one) => {
        const known = recent
          .statements()
          .find(
            (other) => other !== one && !recent.withdrawn.has(other) && hasFrameOf(one.memory, other.memory),
          );
        return known ? { ...one, corrects: [...known.corrects, known.memory] } : one;
      }),
  };
};
