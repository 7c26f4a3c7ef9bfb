// The reader without a model: statements by explicit rules, facts by tables, relations by their slots.

import type {
  DrawnMemory,
  KnownMemory,
  MemoryLookup,
  MemoryReader,
  ReaderLimits,
  ReadRequest,
  ReadResult,
  ReadSource,
  StatementTraits,
  Utterance,
} from '../../../adapters/language-model/ports/memory-reader.ts';
import { nextTurn } from '../../../lib/async/wait.ts';
import { filterBy } from '../reading/guidance.ts';
import { repeats } from '../reading/repeats.ts';
import { english } from './english/english.ts';
import type { Interpreter, Language, RuleFact, RuleStatement } from './language.ts';
import { plain } from './plain.ts';
import { type Grammar, type Related, relateByRules } from './relate.ts';
import { mostWorth, type StatementCandidate } from './select.ts';

/** Languages with rules; `plain` is the fallback. */
const LANGUAGES: readonly Language[] = [english, plain];

const LIMITS: ReaderLimits = {
  charactersPerCall: 1_000_000,
  aroundUtterances: 20,
  knownMemories: 20,
  memoriesPerDocument: 100,
};
const UTTERANCES_BETWEEN_PAUSES = 200;

const languageOf = (text: string): Language =>
  LANGUAGES.reduce((best, next) => (next.recognises(text) > best.recognises(text) ? next : best));

/** A statement is short, so the first language that understands it decides. */
const grammar: Grammar = {
  factOf: (memory) =>
    LANGUAGES.values()
      .map((language) => language.factOf(memory))
      .find((fact) => fact !== null) ?? null,
  aliasesOf: (memory) => LANGUAGES.flatMap((language) => language.aliasesOf(memory)),
};

/** One interpreter for each language that the document uses. */
const interpreters = (source: ReadSource, memories: readonly string[]): ((text: string) => Interpreter) => {
  const opened = new Map<string, Interpreter>();
  return (text) => {
    const language = languageOf(text);
    const known = opened.get(language.name);
    if (known) return known;
    const interpreter = language.open(source, memories);
    opened.set(language.name, interpreter);
    return interpreter;
  };
};

const drawnMemory = ({ statement, fact }: StatementCandidate): DrawnMemory => ({
  memory: statement.memory,
  isStatic: fact?.isStatic ?? false,
  isInference: false,
  slot: fact?.slot ?? null,
  about: fact?.about ?? null,
  relations: [],
  outdatedBy: null,
  saidAt: statement.saidAt,
  eventDates: statement.eventDates,
  forgetAfter: statement.forgetAfter,
  positions: [statement.position],
});

/** The statements of the text alone, before they are compared with known memories. */
function* candidatesIn(
  source: ReadSource,
  memories: readonly string[],
): Generator<StatementCandidate | null> {
  const interpreterOf = interpreters(source, memories);
  const filter = filterBy(source.guidance, (text) =>
    LANGUAGES.flatMap((language) => language.leftOutBy(text)),
  );
  // A document with the same statement is another source; a conversation may only repeat text that it was given.
  const isRepeated = repeats(source.conversation ? source.served : []);
  const isKept = (statement: RuleStatement): boolean =>
    !isRepeated(statement.said) && !filter.drops(statement.memory) && !filter.drops(statement.said);
  const candidateOf = (statement: RuleStatement): StatementCandidate => {
    const fact: RuleFact | null = grammar.factOf(statement.memory);
    return { statement, fact, isRaised: filter.raises(statement.memory) };
  };
  const around = source.around.slice(-LIMITS.aroundUtterances);
  const inOrder: Utterance[] = [...around, ...source.fresh].sort((a, b) => a.position - b.position);
  const fresh = new Set(source.fresh);
  for (const utterance of inOrder) {
    const interpreter = interpreterOf(utterance.text);
    if (fresh.has(utterance)) yield* interpreter.statements(utterance).filter(isKept).map(candidateOf);
    else interpreter.hear(utterance);
    yield null;
  }
}

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

/** A named person may be the user of another conversation. */
const alsoAsUser = (slot: string): string[] => [slot, slot.replace(/^[^./]+/, 'user')];

const withoutRepeats = (texts: readonly string[]): string[] => [...new Set(texts)];

const lookups = (
  subjects: readonly Pick<StatementTraits, 'slot' | 'about'>[],
): Pick<MemoryLookup, 'slots' | 'abouts'> => {
  const slots = subjects.flatMap(({ slot }) => (slot === null ? [] : alsoAsUser(slot)));
  const abouts = subjects.flatMap(({ about }) => (about === null ? [] : alsoAsUser(about)));
  const always = LANGUAGES.flatMap(({ alwaysWanted }) => alwaysWanted);
  return { slots: withoutRepeats([...always, ...slots]), abouts: withoutRepeats(abouts) };
};

const wantedLookups = (source: ReadSource): MemoryLookup => {
  const facts = mostWorthIn(
    source,
    [...candidatesIn(source, [])].flatMap((one) => one ?? []),
  );
  // For a name alone, the nearest memories show whose brother it is.
  const named = facts.filter(({ fact }) => fact?.slot && /^[^./]+\//.test(fact.slot));
  return {
    ...lookups(facts.flatMap(({ fact }) => fact ?? [])),
    nearestTo: withoutRepeats(named.map(({ statement }) => statement.memory)).slice(0, LIMITS.knownMemories),
  };
};

export const createRulesReader = (): MemoryReader => {
  async function read(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult> {
    signal?.throwIfAborted();
    const candidates: StatementCandidate[] = [];
    let utterances = 0;
    for (const candidate of candidatesIn(
      request,
      request.known.map(({ memory }) => memory),
    )) {
      if (candidate) candidates.push(candidate);
      else if (++utterances % UTTERANCES_BETWEEN_PAUSES === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
    const drawn = mostWorthIn(request, candidates).map(drawnMemory);
    return { memories: mergeRelated(relateByRules(drawn, request.known, grammar)) };
  }

  return {
    name: 'rules',
    limits: LIMITS,
    lookupFor: wantedLookups,
    lookups,
    read,
    relate: (drawn: readonly DrawnMemory[], known: readonly KnownMemory[]) =>
      relateByRules(drawn, known, grammar).map(({ memory }) => memory),
    describe: (memory) => {
      const fact = grammar.factOf(memory);
      return { isStatic: fact?.isStatic ?? false, slot: fact?.slot ?? null, about: fact?.about ?? null };
    },
  };
};
