// Relates drawn statements to known ones and to each other: the same, an update, or further detail.
import type {
  DrawnMemory,
  DrawnRelation,
  KnownMemory,
} from '../../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../../lib/async/steps.ts';
import { underUser } from '../aliases.ts';
import {
  factsIn,
  isDropped,
  isEnded,
  isMended,
  isMoved,
  isOutgrown,
  isRecounted,
  isRehosted,
  isTakenOver,
  mayReplace,
  takesOne,
} from '../changes.ts';
import { type Alias, ANYBODY, type Grammar, type RuleFact } from '../language.ts';
import { comparedOf } from '../replacing/compared-statement.ts';
import { replacedBy } from '../replacing/replaced-by.ts';
import { type Surroundings, surroundingsOf } from '../replacing/surroundings.ts';
import { verdict, wasReplaced } from '../values.ts';
import { inPlaceOfEnd, markEnded, onlyEnds, takeOver } from './ended-statements.ts';
import { ofFormerHolders } from './former-tie.ts';
import { endedInLife } from './life-changes.ts';
import {
  addToPool,
  createStatementPool,
  type EarlierStatement,
  isCurrent,
  notReplaced,
  ownerless,
  type PoolEntry,
  type Related,
  type StatementPool,
} from './statement-pool.ts';

/** The full name of somebody who is known by another; "Anna's dog is called Rex" tells of a tie as well. */
const NAME_SLOT = /^[^./]+\/name$/;

interface Relating {
  readonly drawn: readonly DrawnMemory[];
  readonly pool: StatementPool;
  readonly aliases: readonly Alias[];
  readonly grammar: Grammar;
}

interface Found {
  readonly same: EarlierStatement | null;
  readonly relations: DrawnRelation[];
  /** A later statement that a search may put first; nothing else follows from it. */
  readonly hints: DrawnRelation[];
  readonly outdatedBy: string | null;
}

const NOTHING: Found = { same: null, relations: [], hints: [], outdatedBy: null };

const sameAs = (same: EarlierStatement): Found => ({ ...NOTHING, same });

const isOlder = ({ saidAt }: DrawnMemory, { statement }: PoolEntry): boolean =>
  saidAt !== null && statement.saidAt !== null && saidAt < statement.saidAt;

const hasOwner = (slot: string): boolean =>
  slot.includes('.') || /^[^/]+\/(?!day$|place$|status$|lead$)/.test(slot);

/** The statements of the same slot; "the standup" is "Anna's standup" where there is only one. */
const sameSlot = (fact: RuleFact, pool: StatementPool): PoolEntry[] => {
  const { slot } = fact;
  if (slot === null) return [];
  const same = notReplaced(pool.bySlot.get(pool.canonical(slot)));
  if (same.length > 0) return same;
  const owned = notReplaced(pool.byThing.get(ownerless(slot))).filter(
    ({ fact: known }) =>
      known.slot !== null &&
      hasOwner(known.slot) !== hasOwner(slot) &&
      // A thing that the user calls their own may be another one.
      (fact.changes || !known.slot.startsWith('user/')),
  );
  return owned.length === 1 ? owned : [];
};

const bySlot = (drawn: DrawnMemory, fact: RuleFact, pool: StatementPool): Found => {
  const relations: DrawnRelation[] = [];
  let outdatedBy: string | null = null;
  for (const entry of sameSlot(fact, pool)) {
    const { statement } = entry;
    const kind = verdict(fact, entry.fact);
    if (kind === 'same' && isCurrent(statement)) return sameAs(statement);
    if ('known' in statement.ref && isOlder(drawn, entry) && kind !== 'extends') {
      if (wasReplaced(fact, entry.fact)) outdatedBy = statement.ref.known;
    } else if (kind !== null && kind !== 'same') {
      relations.push({ kind, to: statement.ref });
      if (kind === 'updates') statement.replaced = true;
    }
  }
  return { ...NOTHING, relations, outdatedBy };
};

/** The statements that this one ends or replaces, whatever their slots. */
const byChange = (drawn: DrawnMemory, fact: RuleFact, pool: StatementPool): DrawnRelation[] => {
  const earlier = (
    map: Map<string, PoolEntry[]>,
    key: string | null,
    isChanged: (fresh: RuleFact, known: RuleFact) => boolean,
  ): EarlierStatement[] => {
    const entries = notReplaced(key === null ? [] : map.get(pool.canonical(key)));
    const changed = entries.filter((entry) => !isOlder(drawn, entry) && isChanged(fact, entry.fact));
    return [...new Set(changed.map(({ statement }) => statement))];
  };
  const whose = fact.subject === ANYBODY ? ANYBODY : (fact.holder ?? fact.subject);
  const [own, anybody] = fact.ends.length > 0 ? [whose, ANYBODY] : [null, null];
  const ended = earlier(pool.bySubject, own, isEnded);
  const dropped = earlier(pool.bySubject, anybody, isDropped);
  // "The peanut allergy" does not say whose: nothing tells which of two is gone.
  const gone = earlier(pool.bySubject, fact.isOfThing ? anybody : own, isOutgrown);
  const outgrown = fact.isOfThing && gone.length > 1 ? [] : gone;
  const repaired = earlier(pool.bySubject, fact.mends.length > 0 ? ANYBODY : null, isMended);
  const takenOver = earlier(pool.byHolding, fact.holding, isTakenOver);
  const moved = earlier(pool.bySubject, fact.moves.length > 0 ? ANYBODY : null, isMoved);
  const inFrame = earlier(pool.byFrame, fact.changes ? fact.frame : null, mayReplace);
  const counted = earlier(pool.bySubject, fact.measures.length > 0 ? fact.subject : null, isRecounted);
  const rehosted = earlier(pool.bySubject, fact.isOfAll ? ANYBODY : null, isRehosted);
  // Of several, nothing tells which of them changed.
  const one = [takenOver, moved, inFrame, counted, rehosted].find(({ length }) => length === 1) ?? [];
  const inLife = endedInLife(fact, pool, (subject, isChanged) => earlier(pool.bySubject, subject, isChanged));
  const found = [...ended, ...outgrown, ...dropped, ...repaired, ...inLife];
  const replaced = found.length > 0 ? found : one;
  for (const statement of replaced) statement.replaced = true;
  return [...new Set(replaced)].map(({ ref }) => ({ kind: 'updates', to: ref }));
};

interface Placed {
  readonly around: Surroundings;
  readonly memory: DrawnMemory;
  readonly at: number;
}

/** The statement that the model of replacement finds, where no rule found one: replaced, in doubt, or only with a hint of it. */
const byModel = (
  { memory: { saidAt, positions }, at, around }: Placed,
  fact: RuleFact,
  pool: StatementPool,
  relations: readonly DrawnRelation[],
): DrawnRelation[] => {
  // A death ends what the rules say, and no birthday.
  const isOpen = relations.length === 0 && fact.died === null;
  const later = isOpen ? comparedOf(fact, pool.canonical) : null;
  if (!later) return [];
  const earlier = pool.compared.flatMap((one) => {
    const { ref, saidAt: said, replaced, claim } = one.statement;
    // "My knees can't take the clutch" tells why the car was sold, and stands in the place of nothing.
    if (one.statement.endedBy !== null && fact.sketch?.isNegated === true) return [];
    const claimed = claim?.positions.some((one) => positions.includes(one)) ? claim.chance : null;
    if ((replaced && claimed === null) || (saidAt !== null && said !== null && saidAt < said)) return [];
    const isSameTime = said === saidAt && (said !== null || 'drawn' in ref);
    return [{ ...one, isSameTime, isEnded: one.statement.endedBy !== null, claim: claimed }];
  });
  const found = replacedBy(later, earlier, around);
  if (!found) return [];
  const { statement, isSameTime, fact: known } = found.earlier;
  // Some change or other says nothing of a name: "I use Neovim now" after "My name is Priya".
  if (known.slot !== fact.slot && NAME_SLOT.test(known.slot ?? '')) return [];
  const { kind, chance } = found;
  if (kind !== 'updates' && (statement.claim !== null || (kind === 'hints' && isSameTime))) return [];
  if (kind === 'updates') {
    statement.replaced = true;
    statement.claim ??= { by: at, positions, chance };
  }
  return [{ kind, to: statement.ref }];
};

/** Detail about a thing extends the first statement about it. */
const byThing = (
  fact: RuleFact,
  pool: StatementPool,
  relations: readonly DrawnRelation[],
): DrawnRelation[] => {
  if (fact.about === null || fact.introduces || relations.length > 0) return [];
  const first = pool.introducing
    .get(pool.canonical(fact.about))
    ?.find(({ statement }) => isCurrent(statement));
  return first ? [{ kind: 'extends', to: first.statement.ref }] : [];
};

/** A stored statement that this one corrects, in whatever slot. */
const byCorrection = (
  { corrects = [] }: DrawnMemory,
  pool: StatementPool,
  relations: readonly DrawnRelation[],
): DrawnRelation[] =>
  corrects.flatMap((memory) => {
    const wrong = pool.byText.get(memory);
    if (!wrong || wrong.replaced || relations.some(({ kind, to }) => kind !== 'doubts' && to === wrong.ref))
      return [];
    wrong.replaced = true;
    return [{ kind: 'updates', to: wrong.ref }];
  });

/** A statement that lists several is not replaced by what becomes of one of them. */
const ofAll = (relation: DrawnRelation, fact: RuleFact, { byRef }: StatementPool): DrawnRelation => {
  const known = byRef.get(relation.to);
  if (relation.kind === 'extends' || !known || !takesOne(fact, known.fact)) return relation;
  known.statement.replaced = false;
  known.statement.claim = null;
  return { kind: 'extends', to: relation.to };
};

/** The relations of every clause; the first clause says what the statement is about. */
const relationsIn = (placed: Placed, fact: RuleFact, pool: StatementPool): Found => {
  const { memory: drawn } = placed;
  const found = bySlot(drawn, fact, pool);
  if (found.same) return found;
  const relations = [...found.relations, ...byChange(drawn, fact, pool)];
  for (const further of fact.more) {
    relations.push(...bySlot(drawn, further, pool).relations.filter(({ kind }) => kind === 'updates'));
    relations.push(...byChange(drawn, further, pool));
  }
  const judged = byModel(placed, fact, pool, relations);
  const hints = judged.filter(({ kind }) => kind === 'hints');
  if (hints.length === 0) relations.push(...judged);
  return { ...found, hints, relations: relations.map((one) => ofAll(one, fact, pool)) };
};

const relateOne = (drawn: DrawnMemory, at: number, relating: Relating): Related => {
  const { pool, aliases, grammar } = relating;
  const fact = grammar.factOf(drawn.memory);
  const twin = pool.byText.get(drawn.memory);
  const isTwin = twin !== undefined && isCurrent(twin);
  const placed = { memory: drawn, at, around: surroundingsOf(relating.drawn, at, grammar) };
  const found = fact && !isTwin ? relationsIn(placed, fact, pool) : NOTHING;
  const same = isTwin ? twin : found.same;
  const moved = found.relations;
  const corrected = same ? [] : byCorrection(drawn, pool, moved);
  const isSure = corrected.length > 0 || moved.some(({ kind }) => kind !== 'doubts');
  const known = [...moved.filter(({ kind }) => !isSure || kind !== 'doubts'), ...corrected];
  const relations = fact && !same ? [...known, ...byThing(fact, pool, known)] : known;
  const former = ofFormerHolders(relations, pool);
  // An ended state that was never known is not a value of the slot.
  const isLoose = fact?.standing === 'ended' && relations.length === 0 && !same;
  const memory: DrawnMemory = {
    ...drawn,
    memory: same ? same.memory : drawn.memory,
    slot: fact?.slot && !isLoose ? underUser(fact.slot, aliases) : null,
    about: fact?.about ? underUser(fact.about, aliases) : null,
    relations: same || isSure ? [...relations, ...former] : [...relations, ...found.hints],
    outdatedBy: same ? null : found.outdatedBy,
  };
  if (!same && memory.outdatedBy === null)
    addToPool(
      pool,
      {
        ref: { drawn: at },
        memory: memory.memory,
        saidAt: drawn.saidAt,
        replaced: false,
        endedBy: null,
        claim: null,
      },
      factsIn(isLoose && fact ? { ...fact, slot: null } : fact),
    );
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
  const pool = createStatementPool(aliases);
  for (const { id, memory, slot, about, saidAt } of known) {
    const read = grammar.factOf(memory);
    const fact = read && { ...read, slot: slot ?? read.slot, about: about ?? read.about };
    addToPool(
      pool,
      { ref: { known: id }, memory, saidAt: saidAt ?? null, replaced: false, endedBy: null, claim: null },
      factsIn(fact),
    );
    yield;
  }
  const related: Related[] = [];
  const relating: Relating = { drawn, pool, aliases, grammar };
  for (const [at, one] of drawn.entries()) {
    const fresh = inPlaceOfEnd(relateOne(one, at, relating), related, relating);
    takeOver(fresh.memory, related, pool);
    related.push(fresh);
    if (onlyEnds(grammar.factOf(one.memory))) markEnded(fresh.memory, at, pool);
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
