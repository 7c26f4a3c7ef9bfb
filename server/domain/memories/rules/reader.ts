// The reader without a model: statements by explicit rules, facts by tables, relations by their slots.

import type {
  DrawnMemory,
  MemoryLookup,
  MemoryReader,
  ReaderLimits,
  ReadRequest,
  ReadResult,
  ReadSource,
} from '../../../adapters/language-model/ports/memory-reader.ts';
import { createPace, finishInSlices, type Steps } from '../../../lib/async/steps.ts';
import { candidatesIn, ofKnownBearers } from './candidates.ts';
import { factsIn, mayChange } from './changes.ts';
import { lasts } from './english/lasting/chance-of-lasting.ts';
import { grammar } from './grammar.ts';
import { lookups } from './lookups.ts';
import { relateByRules, relateDrawn } from './relating/relate.ts';
import type { Related } from './relating/statement-pool.ts';
import { mostWorth, type StatementCandidate } from './select.ts';

const LIMITS: ReaderLimits = {
  charactersPerCall: 1_000_000,
  aroundUtterances: 20,
  knownMemories: 40,
  memoriesPerDocument: 100,
};
const drawnMemory = ({ statement, fact }: StatementCandidate): DrawnMemory => ({
  memory: statement.memory,
  isStatic: lasts({
    memory: statement.memory,
    fact,
    isDated: statement.eventDates.length > 0,
    expires: statement.forgetAfter !== null,
  }),
  isInference: false,
  slot: fact?.slot ?? null,
  about: fact?.about ?? null,
  relations: [],
  outdatedBy: null,
  saidAt: statement.saidAt,
  eventDates: statement.eventDates,
  forgetAfter: statement.forgetAfter,
  positions: [statement.position],
  ...(statement.corrects.length > 0 ? { corrects: statement.corrects } : {}),
});

const mostWorthIn = (
  source: ReadSource,
  candidates: readonly StatementCandidate[],
): readonly StatementCandidate[] =>
  source.conversation ? candidates : mostWorth(candidates, LIMITS.memoriesPerDocument);

/** Joins equal statements and updates the references to them. */
const mergeRelated = (related: readonly Related[]): DrawnMemory[] => {
  const places = new Map<number, number>();
  const result: DrawnMemory[] = [];
  related.forEach(({ memory, sameAs }, at) => {
    const place = sameAs === null ? undefined : places.get(sameAs);
    const before = place === undefined ? undefined : result[place];
    if (place !== undefined && before) {
      const positions = [...new Set([...before.positions, ...memory.positions])];
      result[place] = { ...before, positions };
      places.set(at, place);
      return;
    }
    places.set(at, result.length);
    const relations = memory.relations.map(({ kind, to }) => ({
      kind,
      to: 'drawn' in to ? { drawn: places.get(to.drawn) ?? 0 } : to,
    }));
    result.push({ ...memory, relations });
  });
  return result;
};

function* wantedLookups(source: ReadSource): Steps<MemoryLookup> {
  const facts = mostWorthIn(source, yield* candidatesIn(source, [], LIMITS.aroundUtterances));
  // The statement that this one ends or changes is found by its words, those with a sign of change first.
  const changing = facts.filter(({ fact }) => factsIn(fact).some(mayChange));
  const named = [...changing, ...facts];
  return {
    ...lookups(facts.flatMap(({ fact }) => fact ?? [])),
    nearestTo: [
      ...new Set([
        ...facts.flatMap(({ statement }) => statement.corrects),
        ...named.map(({ statement }) => statement.memory),
      ]),
    ].slice(0, LIMITS.knownMemories),
  };
}

function* readByRules(request: ReadRequest): Steps<ReadResult> {
  const known = request.known.map(({ memory }) => memory);
  const candidates = yield* candidatesIn(request, known, LIMITS.aroundUtterances);
  const drawn = mostWorthIn(request, ofKnownBearers(candidates, known)).map(drawnMemory);
  return { memories: mergeRelated(yield* relateByRules(drawn, request.known, grammar)) };
}

export const createRulesReader = (): MemoryReader => ({
  name: 'rules',
  limits: LIMITS,
  lookupFor: wantedLookups,
  lookups,
  async read(request, { signal, pace = createPace({ signal }) } = {}) {
    signal?.throwIfAborted();
    return finishInSlices(readByRules(request), pace);
  },
  relate: (drawn, known) => relateDrawn(drawn, known, grammar),
  describe: (memory) => {
    const fact = grammar.factOf(memory);
    return { isStatic: fact?.isStatic ?? false, slot: fact?.slot ?? null, about: fact?.about ?? null };
  },
});
