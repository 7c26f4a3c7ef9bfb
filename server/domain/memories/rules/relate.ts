// Relates drawn statements to known ones and to each other: the same, an update, or further detail.
import type {
  DrawnMemory,
  DrawnRelation,
  KnownMemory,
} from '../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../lib/async/steps.ts';
import { type Canonical, canonicalBy, underUser } from './aliases.ts';
import type { Alias, RuleFact } from './language.ts';
import { verdict, wasReplaced } from './values.ts';

/** The parts of a language that relating uses. */
export interface Grammar {
  factOf(memory: string): RuleFact | null;
  aliasesOf(memory: string): readonly Alias[];
}

type Reference = DrawnRelation['to'];

/** A statement that a later one may repeat, change or extend. */
interface Entry {
  readonly ref: Reference;
  readonly memory: string;
  readonly fact: RuleFact | null;
  readonly saidAt: number | null;
  replaced: boolean;
}

export interface Related {
  readonly memory: DrawnMemory;
  /** The index of an earlier equal statement. */
  readonly sameAs: number | null;
}

/** Entries by the keys of later lookups. */
interface Pool {
  readonly bySlot: Map<string, Entry[]>;
  readonly introducing: Map<string, Entry[]>;
  readonly byText: Map<string, Entry>;
  readonly canonical: Canonical;
}

const push = (map: Map<string, Entry[]>, key: string, entry: Entry): void => {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
};

const addToPool = (pool: Pool, entry: Entry): void => {
  const { fact } = entry;
  pool.byText.set(entry.memory, entry);
  if (fact?.slot) push(pool.bySlot, pool.canonical(fact.slot), entry);
  if (fact?.about && fact.introduces) push(pool.introducing, pool.canonical(fact.about), entry);
};

const notReplaced = (entries: readonly Entry[] | undefined): Entry[] =>
  (entries ?? []).filter(({ replaced }) => !replaced);

interface Found {
  readonly same: Entry | null;
  readonly relations: DrawnRelation[];
  readonly outdatedBy: string | null;
}

const isOlder = (drawn: DrawnMemory, entry: Entry): boolean =>
  drawn.saidAt !== null && entry.saidAt !== null && drawn.saidAt < entry.saidAt;

const bySlot = (drawn: DrawnMemory, fact: RuleFact, pool: Pool): Found => {
  const relations: DrawnRelation[] = [];
  let outdatedBy: string | null = null;
  for (const entry of fact.slot ? notReplaced(pool.bySlot.get(pool.canonical(fact.slot))) : []) {
    if (!entry.fact) continue;
    const kind = verdict(fact, entry.fact);
    if (kind === 'same') return { same: entry, relations: [], outdatedBy: null };
    if ('known' in entry.ref && isOlder(drawn, entry) && kind !== 'extends') {
      if (wasReplaced(fact, entry.fact)) outdatedBy = entry.ref.known;
    } else if (kind !== null) {
      relations.push({ kind, to: entry.ref });
      if (kind === 'updates') entry.replaced = true;
    }
  }
  return { same: null, relations, outdatedBy };
};

/** Detail about a thing extends the first statement about it. */
const byThing = (fact: RuleFact, pool: Pool, relations: readonly DrawnRelation[]): DrawnRelation[] => {
  if (fact.about === null || fact.introduces || relations.length > 0) return [];
  const [first] = notReplaced(pool.introducing.get(pool.canonical(fact.about)));
  return first ? [{ kind: 'extends', to: first.ref }] : [];
};

interface Relating {
  readonly pool: Pool;
  readonly aliases: readonly Alias[];
  readonly grammar: Grammar;
}

const relateOne = (drawn: DrawnMemory, at: number, { pool, aliases, grammar }: Relating): Related => {
  const fact = grammar.factOf(drawn.memory);
  const twin = pool.byText.get(drawn.memory);
  const found: Found =
    fact && !(twin && !twin.replaced)
      ? bySlot(drawn, fact, pool)
      : { same: null, relations: [], outdatedBy: null };
  const same = twin && !twin.replaced ? twin : found.same;
  const relations = fact && !same ? [...found.relations, ...byThing(fact, pool, found.relations)] : [];
  // An ended state that was never known is not a value of the slot.
  const isLoose = fact?.standing === 'ended' && relations.length === 0 && !same;
  const memory: DrawnMemory = {
    ...drawn,
    memory: same ? same.memory : drawn.memory,
    slot: fact?.slot && !isLoose ? underUser(fact.slot, aliases) : null,
    about: fact?.about ? underUser(fact.about, aliases) : null,
    relations,
    outdatedBy: same ? null : found.outdatedBy,
  };
  const isOutdated = memory.outdatedBy !== null;
  if (!same && !isOutdated)
    addToPool(pool, {
      ref: { drawn: at },
      memory: memory.memory,
      fact: isLoose && fact ? { ...fact, slot: null } : fact,
      saidAt: drawn.saidAt,
      replaced: false,
    });
  return { memory, sameAs: same && 'drawn' in same.ref ? same.ref.drawn : null };
};

/** Relates each statement to known ones and to those before it; order and number are unchanged. */
export function* relateByRules(
  drawn: readonly DrawnMemory[],
  known: readonly KnownMemory[],
  grammar: Grammar,
): Steps<Related[]> {
  const aliases: Alias[] = [];
  for (const { memory } of [...known, ...drawn]) {
    aliases.push(...grammar.aliasesOf(memory));
    yield;
  }
  const pool: Pool = {
    bySlot: new Map(),
    introducing: new Map(),
    byText: new Map(),
    canonical: canonicalBy(aliases),
  };
  for (const { id, memory, slot, about, saidAt } of known) {
    const read = grammar.factOf(memory);
    const fact = read && { ...read, slot: slot ?? read.slot, about: about ?? read.about };
    addToPool(pool, { ref: { known: id }, memory, fact, saidAt: saidAt ?? null, replaced: false });
    yield;
  }
  const related: Related[] = [];
  for (const [at, one] of drawn.entries()) {
    related.push(relateOne(one, at, { pool, aliases, grammar }));
    yield;
  }
  return related;
}
