// The type of a rule that recognises a durable fact. The rules themselves are the tables in this folder.

export interface FactRule {
  /** The attribute of the fact: "home". */
  readonly slot: string;
  /** `one`: there is one value at a time; `each`: one for each thing named ("taste:sushi"); `trait`: nothing replaces it. */
  readonly kind: 'one' | 'each' | 'trait';
  /** Plain forms; "get" and "be" are verbs like all others. */
  readonly verbs: readonly string[];
  /** The text that must follow the verb. Anchored; the group `value` is the value, else the whole match. */
  readonly rest?: RegExp;
  /** The noun that must follow: a table of professions. */
  readonly heads?: ReadonlySet<string>;
  /** Nouns that must not follow: "has an appointment" is not a possession. */
  readonly notHeads?: ReadonlySet<string>;
  /** `now`: a present state; `past`: an event; `any`: both. Default: now. */
  readonly when?: 'now' | 'past' | 'any';
  /** The kinds of subject. Default: people. */
  readonly of?: 'person' | 'thing' | 'any';
  /** The form of the value: capitalised names, words up to a boundary, all words, the noun alone. Default: words. */
  readonly value?: 'names' | 'words' | 'whole' | 'head';
  /** A fixed value: "single". */
  readonly constant?: string;
  /** True if the verb denies: "hates" in a table of likes. */
  readonly opposite?: boolean;
  /** Needs this modal, as "can" in "can't stand". */
  readonly modal?: string;
  /** The verb must be negated. */
  readonly negated?: boolean;
  /** Needs a word of habit: "usually", "every day". */
  readonly habit?: boolean;
  /** Not for the progressive: "is reading a novel" is a habit only with a word of habit. */
  readonly simple?: boolean;
  /** The verb itself means the end: "quit", "sold". */
  readonly ends?: boolean;
  /** "has a dog": later statements about the dog add to it. */
  readonly introduces?: boolean;
  /** Default: true. */
  readonly isStatic?: boolean;
  /** Statements that it recognises: the statement, the slot, the value's terms. Run by the tests. */
  readonly examples: readonly (readonly [statement: string, slot: string | null, value: string])[];
  /** Statements that it must not recognise. */
  readonly counterExamples?: readonly string[];
}
