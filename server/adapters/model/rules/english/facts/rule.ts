// The form of a rule by which a durable fact is recognised. The rules themselves are the tables beside this file.

export interface FactRule {
  /** The name of what is known then: "home". */
  readonly slot: string;
  /** `one`: there is one value at a time; `each`: one for each thing named ("taste:sushi"); `trait`: nothing replaces it. */
  readonly kind: 'one' | 'each' | 'trait';
  /** Plain forms; "get" and "be" are verbs like all others. */
  readonly verbs: readonly string[];
  /** What must follow the verb. Anchored; `value` holds what the fact is about, else all of it. */
  readonly rest?: RegExp;
  /** The noun that must follow: a table of professions. */
  readonly heads?: ReadonlySet<string>;
  /** Nouns that must not: one "has" a dog and not in the same way an appointment. */
  readonly notHeads?: ReadonlySet<string>;
  /** `now`: how things are; `past`: what happened; `any`: both. Default: now. */
  readonly when?: 'now' | 'past' | 'any';
  /** Of whom it can be said. Default: people. */
  readonly of?: 'person' | 'thing' | 'any';
  /** How the value is read: capitalised names, words up to a boundary, all words, the noun alone. Default: words. */
  readonly value?: 'names' | 'words' | 'whole' | 'head';
  /** The value where no word says it: "single". */
  readonly constant?: string;
  /** Said of what does not hold: "hates" in a table of likes. */
  readonly opposite?: boolean;
  /** Needs this modal, as "can" in "can't stand". */
  readonly modal?: string;
  /** Needs to be denied. */
  readonly negated?: boolean;
  /** Only with a word of habit: "usually", "every day". */
  readonly habit?: boolean;
  /** Not of what goes on just now: "is reading a novel" is no habit, unless a word of habit says so. */
  readonly simple?: boolean;
  /** The verb itself tells the end: "quit", "sold". */
  readonly ends?: boolean;
  /** "has a dog": what is told of the dog adds to it. */
  readonly introduces?: boolean;
  /** Default: true. */
  readonly isStatic?: boolean;
  /** Statements that it recognises: the statement, the slot, the value's terms. Run by the tests. */
  readonly examples: readonly (readonly [statement: string, slot: string | null, value: string])[];
  /** Statements that it must not recognise. */
  readonly counterExamples?: readonly string[];
}
