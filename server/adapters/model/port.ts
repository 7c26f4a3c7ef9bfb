// Drawing memories from what was said or written. One file or folder per reader beside this one.
//
// A caller reads in two steps: `wanted` names the stored memories that the new text may repeat, change or add to;
// the caller fetches them and gives them to `read`. Where `relate` exists it may be run again inside the transaction
// that stores the result, with the memories as they are by then: two documents may change one fact at the same time.

export type UtteranceRole = 'user' | 'assistant' | 'system' | 'tool';

/** A turn of a conversation, or a passage of a document. */
export interface Utterance {
  readonly text: string;
  /** Null where the text names no role: a named person, a document. */
  readonly role: UtteranceRole | null;
  readonly speaker: string | null;
  /** Tells it from all others of its document, in order. */
  readonly position: number;
  /** When it was said, in milliseconds. */
  readonly date: number | null;
}

/** A stored memory that is the latest of its chain and not forgotten. */
export interface KnownMemory {
  readonly id: string;
  readonly memory: string;
  readonly isStatic: boolean;
  readonly slot: string | null;
  readonly about: string | null;
  readonly updatedAt: number;
  /** When it was said, where that is known: an older statement that is read later becomes an earlier version of it. */
  readonly saidAt?: number | null;
}

/** What the owner asked to be remembered, and what not. */
export interface Guidance {
  /** One for each tag that has one. */
  readonly entityContext: readonly string[];
  /** What the whole workspace is about. */
  readonly workspacePrompt?: string | null;
  readonly filterPrompt: string | null;
  readonly includeItems: readonly string[];
  readonly excludeItems: readonly string[];
  /** Kinds of statements that matter, beside others. */
  readonly categories?: readonly string[];
}

export interface ReadSource {
  /** New or changed: memories are drawn from these alone. */
  readonly fresh: readonly Utterance[];
  /** Read before and unchanged: tells who "she" is and what a name is. May overlap nothing of `fresh`. */
  readonly around: readonly Utterance[];
  readonly conversation: boolean;
  readonly title: string | null;
  /** What "yesterday" counts from where an utterance has no date of its own; null leaves such words as they are. */
  readonly documentDate: number | null;
  readonly guidance: Guidance;
  /** Texts that Memoir itself handed to an agent lately: what merely repeats them is not learned again. */
  readonly served: readonly string[];
}

export interface ReadRequest extends ReadSource {
  readonly known: readonly KnownMemory[];
}

/** Which stored memories to bring to `read`, all of the latest versions and not forgotten. */
export interface Wanted {
  /** All that have one of these slots. */
  readonly slots: readonly string[];
  /** All that are about one of these. */
  readonly abouts: readonly string[];
  /** The nearest few to each of these texts, `limits.knownMemories` in all. */
  readonly nearestTo: readonly string[];
}

/** `updates` replaces, `extends` adds detail and both stay, `derives` was concluded from others. */
export type RelationKind = 'updates' | 'extends' | 'derives';

export interface DrawnRelation {
  readonly kind: RelationKind;
  /** The id of a known memory, or the index of an earlier one in the same result. */
  readonly to: { readonly known: string } | { readonly drawn: number };
}

export interface DrawnMemory {
  /** One self-contained statement. The very text of a known or an earlier drawn one says: the same fact from another place. */
  readonly memory: string;
  readonly isStatic: boolean;
  readonly isInference: boolean;
  /** The identity of a fact that has one value at a time, as in "anna/home"; null where there is none. */
  readonly slot: string | null;
  /** The thing that the memory tells something of, as in "anna/pet:dog". */
  readonly about: string | null;
  readonly relations: readonly DrawnRelation[];
  /** The known memory that had replaced this statement before it was read: this was said earlier. Null: none had. */
  readonly outdatedBy: string | null;
  /** When it was said: the date of its utterance, else of the document. */
  readonly saidAt: number | null;
  /** The starts of the days, months or years that the statement speaks of, in milliseconds, ascending. */
  readonly eventDates: readonly number[];
  /** After this moment the statement is no longer true. */
  readonly forgetAfter: number | null;
  /** Where in `fresh` it was said. */
  readonly positions: readonly number[];
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Told of every answer that a service gave and wants to be paid for, of use or not. */
export type Spending = (usage: TokenUsage) => void;

export interface ReadResult {
  /** In the order in which they were said: a later one may update an earlier one. */
  readonly memories: readonly DrawnMemory[];
}

export interface ReaderLimits {
  /** How many of `fresh` go into one call; `read` itself takes any number and splits them. */
  readonly charactersPerCall: number;
  /** How many of `around` are looked at, the nearest before `fresh`. */
  readonly aroundUtterances: number;
  readonly knownMemories: number;
  /** The most that one document (not a conversation) yields in one `read`. */
  readonly memoriesPerDocument: number;
}

/** What a statement says of itself. */
export type Description = Pick<DrawnMemory, 'isStatic' | 'slot' | 'about'>;

export interface MemoryReader {
  readonly name: string;
  readonly limits: ReaderLimits;
  /** Pure and without any call to the outside. */
  wanted(source: ReadSource): Wanted;
  /** Fails with an IngestError, or with the reason of an aborted signal. */
  read(request: ReadRequest, signal?: AbortSignal, spending?: Spending): Promise<ReadResult>;
  /** Relates once more, with the memories as they are now; what was drawn keeps its order. Pure. */
  relate?(drawn: readonly DrawnMemory[], known: readonly KnownMemory[]): readonly DrawnMemory[];
  /** For a statement that somebody else wrote, as when a memory is created directly. Pure. */
  describe?(memory: string): Description;
  /** Which stored memories such statements may repeat, change or add to. Pure. */
  lookups?(described: readonly Pick<Description, 'slot' | 'about'>[]): Pick<Wanted, 'slots' | 'abouts'>;
}
