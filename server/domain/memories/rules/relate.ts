// Relates drawn statements to known ones and to each other: the same, an update, or further detail.
import type {
  DrawnMemory,
  DrawnRelation,
  KnownMemory,
} from '../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../lib/async/steps.ts';
import { type Canonical, canonicalBy, underUser } from './aliases.ts';
import { type Alias, ANYBODY, type Grammar, type RuleFact } from './language.ts';
import { isEnded, mayReplace, verdict, wasReplaced } from './values.ts';

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
  /** Slots without their owner: "the rent" and "Anna's rent". */
  readonly byThing: Map<string, Entry[]>;
  readonly byFrame: Map<string, Entry[]>;
  readonly bySubject: Map<string, Entry[]>;
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
  if (fact?.frame) push(pool.byFrame, pool.canonical(fact.frame), entry);
  if (fact?.subject) push(pool.bySubject, pool.canonical(fact.subject), entry);
  if (fact) push(pool.bySubject, ANYBODY, entry);
  if (fact?.slot && !fact.slot.startsWith('user/')) push(pool.byThing, ownerless(fact.slot), entry);
  if (fact?.about && fact.introduces) push(pool.introducing, pool.canonical(fact.about), entry);
};

/** "rent" for "anna/rent", "dentist appoint/day" for "anna.dentist appoint/day". */
const ownerless = (slot: string): string =>
  slot.replace(/^[^./]+\./, '').replace(/^[^/]+\/(?!day$|place$|status$|lead$)/, '');

const notReplaced = (entries: readonly Entry[] | undefined): Entry[] =>
  (entries ?? []).filter(({ replaced }) => !replaced);

interface Found {
  readonly same: Entry | null;
  readonly relations: DrawnRelation[];
  readonly outdatedBy: string | null;
}

const isOlder = (drawn: DrawnMemory, entry: Entry): boolean =>
  drawn.saidAt !== null && entry.saidAt !== null && drawn.saidAt < entry.saidAt;

const hasOwner = (slot: string): boolean =>
  slot.includes('.') || /^[^/]+\/(?!day$|place$|status$|lead$)/.test(slot);

/** The statements of the same slot; "the standup" is "Anna's standup" where there is only one. */
const sameSlot = ({ slot }: RuleFact, pool: Pool): Entry[] => {
  if (slot === null) return [];
  const same = notReplaced(pool.bySlot.get(pool.canonical(slot)));
  if (same.length > 0) return same;
  const owned = notReplaced(pool.byThing.get(ownerless(slot))).filter(
    ({ fact }) => fact?.slot !== null && hasOwner(fact?.slot ?? '') !== hasOwner(slot),
  );
  return owned.length === 1 ? owned : [];
};

const bySlot = (drawn: DrawnMemory, fact: RuleFact, pool: Pool): Found => {
  const relations: DrawnRelation[] = [];
  let outdatedBy: string | null = null;
  for (const entry of sameSlot(fact, pool)) {
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

/** The statements that this one ends, or replaces by a word of change. */
const byChange = (drawn: DrawnMemory, fact: RuleFact, pool: Pool): DrawnRelation[] => {
  const candidates = (map: Map<string, Entry[]>, key: string | null): Entry[] =>
    notReplaced(key === null ? [] : map.get(pool.canonical(key))).filter(
      (entry) => entry.fact !== null && !isOlder(drawn, entry),
    );
  const ended = candidates(pool.bySubject, fact.ends.length > 0 ? fact.subject : null).filter(
    ({ fact: known }) => known !== null && isEnded(fact, known),
  );
  const inFrame = candidates(pool.byFrame, fact.changes ? fact.frame : null).filter(
    ({ fact: known }) => known !== null && mayReplace(fact, known),
  );
  // Of several values in one frame, nothing tells which of them changed.
  const replaced = ended.length > 0 ? ended : inFrame.length === 1 ? inFrame : [];
  for (const entry of replaced) entry.replaced = true;
  return replaced.map(({ ref }) => ({ kind: 'updates', to: ref }));
};

/** Detail about a thing extends the first statement about it. */
const byThing = (fact: RuleFact, pool: Pool, relations: readonly DrawnRelation[]): DrawnRelation[] => {
  if (fact.about === null || fact.introduces || relations.length > 0) return [];
  const [first] = notReplaced(pool.introducing.get(pool.canonical(fact.about)));
  return first ? [{ kind: 'extends', to: first.ref }] : [];
};

/** A stored statement that this one corrects, in whatever slot. */
const byCorrection = (
  { corrects = [] }: DrawnMemory,
  pool: Pool,
  relations: readonly DrawnRelation[],
): DrawnRelation[] =>
  corrects.flatMap((memory) => {
    const wrong = pool.byText.get(memory);
    if (!wrong || wrong.replaced || relations.some(({ to }) => to === wrong.ref)) return [];
    wrong.replaced = true;
    return [{ kind: 'updates', to: wrong.ref }];
  });

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
  const changed = fact && !same ? byChange(drawn, fact, pool) : [];
  const moved = [...found.relations, ...changed];
  const known = same ? moved : [...moved, ...byCorrection(drawn, pool, moved)];
  const relations = fact && !same ? [...known, ...byThing(fact, pool, known)] : known;
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
    byThing: new Map(),
    byFrame: new Map(),
    bySubject: new Map(),
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

export function* relateDrawn(
  drawn: readonly DrawnMemory[],
  known: readonly KnownMemory[],
  grammar: Grammar,
): Steps<readonly DrawnMemory[]> {
  return (yield* relateByRules(drawn, known, grammar)).map(({ memory }) => memory);
}
