// The port for drawing memories from text.
//
// A caller reads in two steps: `lookupFor` names the stored memories that the new text may repeat, change or add to;
// the caller fetches them and passes them to `read`. `relate`, if it exists, may run again inside the transaction that
// stores the result, with the memories stored by then: two documents may change one fact at the same time.

import type { Steps, WorkPace } from '../../../lib/async/steps.ts';

export type UtteranceRole = 'user' | 'assistant' | 'system' | 'tool';

/** A turn of a conversation, or a passage of a document. */
export interface Utterance {
  readonly text: string;
  /** Null for a named person and for a document. */
  readonly role: UtteranceRole | null;
  readonly speaker: string | null;
  /** Unique and ascending within the document. */
  readonly position: number;
  /** The time of the utterance, in milliseconds. */
  readonly date: number | null;
  /** The time at which it was sent as text, and so was said if it has no date: its relative days count from then. */
  readonly heardAt?: number;
}

/** A stored memory that is the latest of its chain and not forgotten. */
export interface KnownMemory {
  readonly id: string;
  readonly memory: string;
  readonly isStatic: boolean;
  readonly slot: string | null;
  readonly about: string | null;
  readonly updatedAt: number;
  /** The time of the statement, if known: an older statement that is read later becomes an earlier version of it. */
  readonly saidAt?: number | null;
}

/** The owner's wishes about the memories to draw. */
export interface Guidance {
  /** One text for each tag that has one. */
  readonly entityContext: readonly string[];
  /** The subject of the whole workspace. */
  readonly workspacePrompt?: string | null;
  readonly filterPrompt: string | null;
  readonly includeItems: readonly string[];
  readonly excludeItems: readonly string[];
  /** Kinds of statements that matter most. */
  readonly categories?: readonly string[];
}

export interface ReadSource {
  /** New and changed utterances: memories are drawn from these alone. */
  readonly fresh: readonly Utterance[];
  /** Unchanged utterances that explain pronouns and names. Shares no position with `fresh`. */
  readonly around: readonly Utterance[];
  readonly conversation: boolean;
  readonly title: string | null;
  /** Resolves "yesterday" in utterances without a date; null leaves such words as they are. */
  readonly documentDate: number | null;
  readonly guidance: Guidance;
  /** Texts that Memoir recently returned to an agent: a repetition of them is not drawn again. */
  readonly served: readonly string[];
}

export interface ReadRequest extends ReadSource {
  readonly known: readonly KnownMemory[];
  /** True: `fresh` begins with the text itself, so the reader may write a title and a summary of it. */
  readonly fromStart?: boolean;
}

/** The title and the summary that a model writes about a text. */
export interface WrittenOutline {
  readonly title: string;
  readonly summary: string;
}

/** The stored memories that `read` needs, each the latest version and not forgotten. */
export interface MemoryLookup {
  /** All memories with one of these slots. */
  readonly slots: readonly string[];
  /** All memories about one of these subjects. */
  readonly abouts: readonly string[];
  /** The memories nearest to each of these texts, `limits.knownMemories` in all. */
  readonly nearestTo: readonly string[];
}

/** `updates` replaces, `extends` adds detail and both stay, `derives` follows from others, `doubts` perhaps replaces and both stay; `hints` is a weak doubt. */
export type RelationKind = 'updates' | 'extends' | 'derives' | 'doubts' | 'hints';

export interface DrawnRelation {
  readonly kind: RelationKind;
  /** The id of a known memory, or the index of an earlier one in the same result. */
  readonly to: { readonly known: string } | { readonly drawn: number };
}

export interface DrawnMemory {
  /** One self-contained statement. A text equal to a known or earlier drawn memory means the same fact, from another place. */
  readonly memory: string;
  readonly isStatic: boolean;
  readonly isInference: boolean;
  /** The identity of a fact that has one value at a time, as in "anna/home"; null where there is none. */
  readonly slot: string | null;
  /** The subject of the memory, as in "anna/pet:dog". */
  readonly about: string | null;
  readonly relations: readonly DrawnRelation[];
  /** The known memory that is newer than this statement and replaces it; null: there is none. */
  readonly outdatedBy: string | null;
  /** The date of its utterance, else of the document. */
  readonly saidAt: number | null;
  /** The starts of the days, months or years that the statement speaks of, in milliseconds, ascending. */
  readonly eventDates: readonly number[];
  /** The statement is no longer true after this time. */
  readonly forgetAfter: number | null;
  /** The positions of its utterances in `fresh`. */
  readonly positions: readonly number[];
  /** Statements of the same conversation, stored before, that this one corrects. */
  readonly corrects?: readonly string[];
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Called for every answer that costs tokens, usable or not. */
export type ReportTokens = (usage: TokenUsage) => void;

export interface MemoryReadOptions {
  readonly signal?: AbortSignal;
  readonly reportTokens?: ReportTokens;
  /** The pace of work on the processor. */
  readonly pace?: WorkPace;
}

export interface ReadResult {
  /** In the order of the text: a later memory may update an earlier one. */
  readonly memories: readonly DrawnMemory[];
  readonly outline?: WrittenOutline;
}

export interface ReaderLimits {
  /** The size of one call to a service; `read` takes text of any length and splits it. */
  readonly charactersPerCall: number;
  /** The number of utterances of `around` that are used, the nearest before `fresh`. */
  readonly aroundUtterances: number;
  readonly knownMemories: number;
  /** The maximum that one `read` draws from a document that is no conversation. */
  readonly memoriesPerDocument: number;
}

/** The traits that follow from the statement alone. */
export type StatementTraits = Pick<DrawnMemory, 'isStatic' | 'slot' | 'about'>;

export interface MemoryReader {
  readonly name: string;
  readonly limits: ReaderLimits;
  /** Pure: it calls no service. */
  lookupFor(source: ReadSource): Steps<MemoryLookup>;
  /** Fails with an IngestError, or with the reason of an aborted signal. */
  read(request: ReadRequest, how?: MemoryReadOptions): Promise<ReadResult>;
  /** Relates drawn memories again with the currently stored ones, in the same order. Pure. */
  relate?(drawn: readonly DrawnMemory[], known: readonly KnownMemory[]): Steps<readonly DrawnMemory[]>;
  /** For statements from elsewhere, such as a memory that is created directly. Pure. */
  describe?(memory: string): StatementTraits;
  /** The stored memories that such statements may repeat, change or add to. Pure. */
  lookups?(
    described: readonly Pick<StatementTraits, 'slot' | 'about'>[],
  ): Pick<MemoryLookup, 'slots' | 'abouts'>;
}

/** The decisions about memories that need no model; a reader with a model uses them. */
export interface ReaderRules extends Pick<MemoryReader, 'lookupFor' | 'relate' | 'describe'> {
  /** Returns a test for statements that the owner excluded. */
  excluding(guidance: Guidance): (statement: string) => boolean;
  /** Returns a function that removes sentences which only repeat texts served by Memoir. */
  withoutServed(served: readonly string[]): (text: string) => string;
}
