// Corrects what was said in the same conversation: the corrected statement takes the place of the wrong one.
import type { RuleStatement } from '../../language.ts';
import { clauseOf } from '../grammar/clause.ts';
import { toThirdPerson, type Voice } from '../grammar/person.ts';
import { namesIn } from '../grammar/terms.ts';
import { isDenial } from '../sentences/denials.ts';
import { told } from '../statement.ts';
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

/** Behind the wrong words, the value must end: "Graham Street" does not name Graham. */
const ENDS_VALUE =
  /^(?:$|[,.;:)]| (?:and|or|but|who|since|in|at|on|from|for|with|too|now|already|any ?more)\b)/;

/** The rest of a statement behind these words; null where it does not hold them. */
const behind = (memory: string, words: string): string | null => {
  const at = memory.toLowerCase().lastIndexOf(words.toLowerCase());
  const rest = memory.slice(at + words.length);
  return at > 0 && /[\s(]$/.test(memory.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(rest) ? rest : null;
};

/** The one statement of an earlier conversation that says what the sentence denies. */
const storedWith = (known: readonly string[], wrong: string, sentence: string): string | null => {
  const people = namesIn(sentence).filter((name) => !namesIn(wrong).includes(name));
  const saying = known.filter((memory) => behind(memory, wrong) !== null);
  const ofThem = saying.filter((memory) => people.some((name) => namesIn(memory).includes(name)));
  const [only, ...others] = ofThem.length > 0 ? ofThem : saying;
  if (only === undefined || others.length > 0) return null;
  return ENDS_VALUE.test(behind(only, wrong) ?? '') ? only : null;
};

const swapStored = (
  known: readonly string[],
  { value, wrong }: Correction,
  { sentence, voice, place }: Correcting,
): RuleStatement[] | null => {
  const memory = wrong === null ? null : storedWith(known, wrong, sentence);
  if (memory === null) return null;
  const fragment = toThirdPerson(bareValue(value), voice);
  const changed = fragment === '' ? null : swapped(memory, { fragment, wrong, isSure: false });
  if (changed === null || changed === memory) return null;
  return [{ ...place, ...told(changed, place.daysFrom), corrects: [memory] }];
};

const swap = (
  recent: Recent,
  { value, wrong, isMarked }: Correction,
  { sentence, voice, place }: Correcting,
): RuleStatement[] | null => {
  const isPlain = isMarked || wrong !== null;
  const targets = recent.targetsOf(voice.name, isPlain);
  if (targets.length === 0) return null;
  const fragment = toThirdPerson(bareValue(value), voice);
  if (fragment === '' || isOwnSentence(fragment)) return null;
  const last = recent.lastOf(voice.name);
  for (const target of targets) {
    // "It isn't the bus, it's the tram" changes only what spoke of the bus, and so does "the tram, not the bus".
    const isSure = isMarked && target === last && !isDenial(sentence);
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

/** `known`: stored statements, of earlier conversations. */
export const createCorrections = (known: readonly string[]): Corrections => {
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
      const statements =
        respell(recent, correcting) ??
        (correction && (swap(recent, correction, correcting) ?? swapStored(known, correction, correcting)));
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
