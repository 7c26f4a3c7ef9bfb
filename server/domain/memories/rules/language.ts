// The interface of a language for drawing memories by rules. English is `english/`; another language is
// another folder that exports one `Language`.
import type { ReadSource, Utterance } from '../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../lib/async/steps.ts';

/** Values of one kind may replace each other. */
export type ValueKind = 'name' | 'number' | 'noun';

/** The relation of a statement to an earlier one about the same subject. */
export type Standing =
  /** A present state. */
  | 'holds'
  /** A state that has ended, as after "used to", "quit", "sold". */
  | 'ended'
  /** The statement itself says that it replaces another: "was moved to 11 May". */
  | 'changed';

/** The slot that a rule recognised in a statement, and its value. */
export interface SlotFact {
  /** "anna/home": statements with the same slot are about the same fact. Null: the fact cannot be replaced. */
  readonly slot: string | null;
  /** "anna/dog": the thing that the statement is about. */
  readonly about: string | null;
  /** "Anna has a dog": other statements about the dog add to it. */
  readonly introduces: boolean;
  readonly standing: Standing;
  /** True if another value replaces this one; false: only a statement with 'changed' does. */
  readonly oneValue: boolean;
  /** The terms of the value: "munich". */
  readonly value: readonly string[];
  /** The terms of all words after the verb: "munich", "husband". */
  readonly detail: readonly string[];
  readonly isStatic: boolean;
}

/** A state of a life that ends by an event which does not name it. */
export type LifeState =
  | 'expecting'
  | 'studying'
  | 'majoring'
  | 'jobless'
  | 'single'
  | 'alone'
  | 'driving'
  | 'cycling'
  | 'smoking'
  | 'drinking'
  | 'caffeine'
  | 'nights'
  | 'days'
  | 'ward'
  | 'plan';

export interface LifeEnd {
  readonly state: LifeState;
  /** The key of whose state it is. */
  readonly of: string;
}

/** The parts of a statement that tell what it changes. */
export interface ChangeSigns {
  /** True if the subject is no person. */
  readonly isOfThing: boolean;
  /** The terms of the subject, without its owner: "left boot" for "Anna's left boot". */
  readonly thing: readonly string[];
  /** The other terms of the clause, without measures: "ramipril mg". */
  readonly topic: readonly string[];
  /** "date", "euro": what the measures count. */
  readonly measureKinds: readonly string[];
  /** A task of one person at a time: "play count". */
  readonly holding: string | null;
  /** The terms of all names in the whole statement. */
  readonly mentions: readonly string[];
  /** The terms of the thing that moves to another day or amount. */
  readonly moves: readonly string[];
  /** "went up to": the number is another one from now on. */
  readonly isLevel: boolean;
  /** The terms of each thing that is in order again. */
  readonly mends: readonly (readonly string[])[];
  /** True where the thing is out of order. */
  readonly isTrouble: boolean;
  /** Outside English: true where somebody began or got something, or does something now. */
  readonly begins: boolean;
  /** "heroku": the service that the thing runs on. */
  readonly runsOn: string | null;
  /** True for "everything", which runs somewhere else from now on. */
  readonly isOfAll: boolean;
  readonly lifeState: LifeState | null;
  readonly lifeEnds: readonly LifeEnd[];
  /** The key of whoever died. */
  readonly died: string | null;
}

/** The parts of a statement that the model of replacement compares. */
export interface Sketch {
  /** The key of whom or what it is about: of a person somebody has, that person. */
  readonly about: string;
  /** Its words in order, as the weights of words know them. */
  readonly wording: readonly string[];
  /** The roots of each of several parts: "Prices: espresso 2.20, cappuccino 3.10". Empty where there is one. */
  readonly parts: readonly (readonly string[])[];
  /** The roots of the label before a colon: "Lund branch: manager is Yusra Demir". */
  readonly label: readonly string[];
  /** The keys of others whom it concerns: "Keith and the user", "gave the user". */
  readonly others: readonly string[];
  /** Its numbers, without days and times. */
  readonly numbers: readonly number[];
  /** The roots of its common words. */
  readonly words: readonly string[];
  /** The roots of its capitalised words. */
  readonly names: readonly string[];
  /** Attributes that questions ask for: home, work, diet. */
  readonly attributes: readonly number[];
  /** The places of its signs of change in their table. */
  readonly signs: readonly number[];
  readonly verb: string;
  readonly tense: number;
  readonly isNegated: boolean;
  /** "still", "as before", "voted down": what it says goes on or did not come about, so that it replaces nothing. */
  readonly leavesAll: boolean;
  /** "would like": it replaces another wish alone. */
  readonly isWish: boolean;
  readonly isModal: boolean;
  readonly isProgressive: boolean;
  readonly isPerson: boolean;
  /** The roots of the thing that the statement is about, without its owner. */
  readonly noun: readonly string[];
}

/** The part of every fact beside its slot: how it changes others. */
export interface Change extends ChangeSigns {
  /** "anna/drive": the subject with its verb. After a word of change, another value in the frame replaces this one. */
  readonly frame: string | null;
  readonly kind: ValueKind;
  /** The terms of the object: "gym membership". */
  readonly object: readonly string[];
  /** True after a word of change: "now", "instead". */
  readonly changes: boolean;
  /** True after a word that adds: "also", "another". */
  readonly adds: boolean;
  /** Times and numbers: "monday", "20 mg". */
  readonly measures: readonly string[];
  /** The terms of things that the statement ends: "sold their Golf". */
  readonly ends: readonly (readonly string[])[];
  /** "anna": whose facts the statement can end. */
  readonly subject: string | null;
  /** The same, but the brother of a statement about Anna's brother. */
  readonly holder: string | null;
  /** The terms of each of several names in a row: "Jools, Petra and Ike". */
  readonly listed: readonly string[];
  /** True for a present state or its beginning, which can end. */
  readonly canEnd: boolean;
  /** The terms of the words by which alone it ends: "the peanut allergy is gone". */
  readonly endsAs: readonly string[];
  /** The facts of the further clauses: "Caspian broke his leg, Eluned plays the count". */
  readonly more: readonly RuleFact[];
  /** The parts that the model of replacement compares; null for a further clause and outside English. */
  readonly sketch: Sketch | null;
}

/** The part of a fact that tells if its statement deserves a memory. */
export type BriefFact = SlotFact & Pick<Change, 'kind' | 'measures' | 'ends'>;

/** The fact that a rule recognised in a statement. */
export interface RuleFact extends SlotFact, Change {}

export const NO_CHANGE: Change = {
  frame: null,
  kind: 'noun',
  object: [],
  changes: false,
  adds: false,
  measures: [],
  ends: [],
  subject: null,
  holder: null,
  listed: [],
  canEnd: false,
  endsAs: [],
  isOfThing: false,
  thing: [],
  topic: [],
  measureKinds: [],
  holding: null,
  mentions: [],
  moves: [],
  isLevel: false,
  mends: [],
  isTrouble: false,
  begins: false,
  runsOn: null,
  isOfAll: false,
  lifeState: null,
  lifeEnds: [],
  died: null,
  more: [],
  sketch: null,
};

/** The reading of a statement in which no rule finds a fact. */
export const NO_FACT: RuleFact = {
  slot: null,
  about: null,
  introduces: false,
  standing: 'holds',
  oneValue: false,
  value: [],
  detail: [],
  isStatic: false,
  ...NO_CHANGE,
};

export interface RuleStatement {
  /** Self-contained, in the third person. */
  readonly memory: string;
  /** The original sentence. */
  readonly said: string;
  /** The statements that it corrects, the first version first. */
  readonly corrects: readonly string[];
  /** A name of which only a stored memory can tell whose it is: else the statement is dropped. */
  readonly bearer?: string;
  readonly position: number;
  readonly saidAt: number | null;
  /** Its relative days count from here: from its date, or from the time at which a text without a date was sent. */
  readonly daysFrom: number | null;
  readonly eventDates: readonly number[];
  readonly forgetAfter: number | null;
}

/** Two keys of one person or thing: "jim" and "anna.brother". */
export type Alias = readonly [string, string];

/** Reads one document from its beginning and keeps track of the people in it, a sentence at a step. */
export interface Interpreter {
  /** Takes the context from an utterance that was read before. */
  hear(utterance: Utterance): Steps<void>;
  statements(utterance: Utterance): Steps<RuleStatement[]>;
  /** Statements that were corrected or taken back later in the document. */
  readonly withdrawn: ReadonlySet<RuleStatement>;
}

export interface Language {
  /** ISO 639-1. */
  readonly name: string;
  /** `names`: the user's, from stored memories; `known`: the stored memories that a text may correct. */
  open(source: ReadSource, names: readonly string[], known?: readonly string[]): Interpreter;
}

/** Reads finished statements. */
export interface Grammar {
  /** Null if no rule matches. */
  factOf(memory: string): RuleFact | null;
  /** The names that a finished statement gives to people and animals. */
  aliasesOf(memory: string): readonly Alias[];
}

/** The death of "Mochi" ends what anybody said about having Mochi. */
export const ANYBODY = '*';
