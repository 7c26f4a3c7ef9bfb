// What a language has to tell so that memories can be drawn by rules. English is `english/`; another language is
// another folder that exports one `Language`.
import type { ReadSource, Utterance } from '../port.ts';

/** How a statement stands to an earlier one about the same. */
export type Standing =
  /** It is so. */
  | 'holds'
  /** It was so and is no longer, as after "used to", "quit", "sold". */
  | 'ended'
  /** It says of itself that it replaces: "was moved to 11 May". */
  | 'changed';

/** What a rule recognised in a statement. */
export interface Fact {
  /** "anna/home": statements with one slot are about the same. Null: nothing that could be replaced. */
  readonly slot: string | null;
  /** "anna/dog": what the statement tells something of. */
  readonly about: string | null;
  /** "Anna has a dog": others about the same add to it. */
  readonly introduces: boolean;
  readonly standing: Standing;
  /** Whether another value replaces this one; false: only a statement that says so ('changed') does. */
  readonly oneValue: boolean;
  /** The terms of the value: "munich". */
  readonly value: readonly string[];
  /** The terms of all that is said beyond the verb: "munich", "husband". */
  readonly detail: readonly string[];
  readonly isStatic: boolean;
}

export interface Statement {
  /** Self-contained, in the third person. */
  readonly memory: string;
  /** The sentence as it stood. */
  readonly said: string;
  readonly position: number;
  readonly saidAt: number | null;
  readonly eventDates: readonly number[];
  readonly forgetAfter: number | null;
}

/** Two keys of one person or thing: "jim" and "anna.brother". */
export type Alias = readonly [string, string];

/** Reads one document from its beginning; remembers who was spoken of. */
export interface Interpreter {
  /** Takes notice of an utterance that was read before. */
  hear(utterance: Utterance): void;
  statements(utterance: Utterance): Statement[];
}

export interface Language {
  readonly name: string;
  /** From 0 to 1, how surely a text is in this language. */
  recognises(text: string): number;
  /** `memories`: stored statements, for the names in them. */
  open(source: ReadSource, memories: readonly string[]): Interpreter;
  /** What a finished statement says; null where no rule knows it. */
  factOf(memory: string): Fact | null;
  /** The names that a finished statement gives to somebody. */
  aliasesOf(memory: string): readonly Alias[];
  /** What the owner's instructions leave out: each text's terms together. */
  leftOutBy(instruction: string): string[];
  /** Slots that help with every reading, as the user's name. */
  readonly alwaysWanted: readonly string[];
}
