// The statements that a later one may repeat, change or extend, found by the keys of their facts.
import type { DrawnMemory, DrawnRelation } from '../../../../adapters/language-model/ports/memory-reader.ts';
import { type Canonical, canonicalBy } from '../aliases.ts';
import { type Alias, ANYBODY, type RuleFact } from '../language.ts';
import { type ComparedStatement, comparedOf } from '../replacing/compared-statement.ts';

export type StatementRef = DrawnRelation['to'];

/** A statement that a later one may repeat, change or extend. */
export interface EarlierStatement {
  readonly ref: StatementRef;
  readonly memory: string;
  readonly saidAt: number | null;
  replaced: boolean;
  /** The index of the statement that only ended it. One with the new value, said with the end, replaces it in its place. */
  endedBy: number | null;
  /** The statement that the model let replace it: a likelier one of the same message takes its place. */
  claim: Claim | null;
}

interface Claim {
  /** The index of that statement. */
  readonly by: number;
  readonly positions: readonly number[];
  readonly chance: number;
}

/** One of the facts of a statement. */
export interface PoolEntry {
  readonly statement: EarlierStatement;
  readonly fact: RuleFact;
}

export interface Related {
  readonly memory: DrawnMemory;
  /** The index of an earlier equal statement. */
  readonly sameAs: number | null;
}

/** Entries by the keys of later lookups. */
export interface StatementPool {
  readonly bySlot: Map<string, PoolEntry[]>;
  readonly introducing: Map<string, PoolEntry[]>;
  /** Slots without their owner: "the rent" and "Anna's rent". */
  readonly byThing: Map<string, PoolEntry[]>;
  readonly byFrame: Map<string, PoolEntry[]>;
  readonly bySubject: Map<string, PoolEntry[]>;
  readonly byHolding: Map<string, PoolEntry[]>;
  readonly byText: Map<string, EarlierStatement>;
  readonly byRef: Map<StatementRef, PoolEntry>;
  /** The parts of each statement that the model of replacement compares. */
  readonly compared: (ComparedStatement & { readonly statement: EarlierStatement })[];
  readonly canonical: Canonical;
}

const push = (map: Map<string, PoolEntry[]>, key: string, entry: PoolEntry): void => {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
};

const addFact = (pool: StatementPool, entry: PoolEntry): void => {
  const { slot, frame, subject, holder, about, introduces, holding } = entry.fact;
  if (slot) push(pool.bySlot, pool.canonical(slot), entry);
  if (frame) push(pool.byFrame, pool.canonical(frame), entry);
  if (holding) push(pool.byHolding, holding, entry);
  for (const one of new Set([subject, holder])) if (one) push(pool.bySubject, pool.canonical(one), entry);
  push(pool.bySubject, ANYBODY, entry);
  if (slot) push(pool.byThing, ownerless(slot), entry);
  if (about && introduces) push(pool.introducing, pool.canonical(about), entry);
};

export const addToPool = (
  pool: StatementPool,
  statement: EarlierStatement,
  facts: readonly RuleFact[],
): void => {
  pool.byText.set(statement.memory, statement);
  for (const fact of facts) addFact(pool, { statement, fact });
  const [main] = facts;
  if (main) pool.byRef.set(statement.ref, { statement, fact: main });
  const compared = main ? comparedOf(main, pool.canonical) : null;
  if (compared) pool.compared.push({ ...compared, statement });
};

/** "rent" for "anna/rent", "dentist appoint/day" for "anna.dentist appoint/day". */
export const ownerless = (slot: string): string =>
  slot.replace(/^[^./]+\./, '').replace(/^[^/]+\/(?!day$|place$|status$|lead$)/, '');

export const notReplaced = (entries: readonly PoolEntry[] | undefined): PoolEntry[] =>
  (entries ?? []).filter(({ statement }) => !statement.replaced);

/** Neither replaced nor ended. */
export const isCurrent = ({ replaced, endedBy }: EarlierStatement): boolean => !replaced && endedBy === null;

export const createStatementPool = (aliases: readonly Alias[]): StatementPool => ({
  bySlot: new Map(),
  introducing: new Map(),
  byThing: new Map(),
  byFrame: new Map(),
  byHolding: new Map(),
  bySubject: new Map(),
  byText: new Map(),
  byRef: new Map(),
  compared: [],
  canonical: canonicalBy(aliases),
});
