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
import { createPace, finishInSlices, type Steps } from '../../../lib/async/steps.ts';
import { cutText } from '../../../lib/text/cut.ts';
import { languageOf } from '../../../lib/text/language/language-of.ts';
import { filterBy } from '../reading/guidance.ts';
import { repeats } from '../reading/repeats.ts';
import { english } from './english/english.ts';
import type { Interpreter, Language, RuleFact, RuleStatement } from './language.ts';
import { type Grammar, type Related, relateByRules } from './relate.ts';
import { mostWorth, type StatementCandidate } from './select.ts';
import { languageOfShortStatement, selfStatements } from './self-statements/self-statements.ts';

/** Texts in other languages stay in the passages alone: none of these rules reads them. */
const LANGUAGES: readonly Language[] = [...selfStatements, english];

const LIMITS: ReaderLimits = {
  charactersPerCall: 1_000_000,
  aroundUtterances: 20,
  knownMemories: 20,
  containersAtOnce: 8,
  memoriesPerDocument: 100,
};
/** A passage is much shorter. */
const LONGEST_UTTERANCE = 100_000;
/** No statement is longer: what a caller sends as one memory may be. */
const LONGEST_STATEMENT = 1_000;

const readable = (text: string): Language | undefined => {
  const detected = languageOf(text);
  const isRead = detected !== 'en' && LANGUAGES.some(({ name }) => name === detected);
  const code = isRead ? detected : (languageOfShortStatement(text, detected) ?? detected);
  return LANGUAGES.find(({ name }) => name === code);
};

/** A statement is short, so the first language that understands it decides. */
const grammar: Grammar = {
  factOf: (memory) =>
    LANGUAGES.values()
      .map((language) => language.factOf(cutText(memory, LONGEST_STATEMENT)))
      .find((fact) => fact !== null) ?? null,
  aliasesOf: (memory) =>
    LANGUAGES.flatMap((language) => language.aliasesOf(cutText(memory, LONGEST_STATEMENT))),
};

/** One interpreter for each language that the document uses. */
const interpreters = (
  source: ReadSource,
  memories: readonly string[],
): ((text: string) => Interpreter | null) => {
  const opened = new Map<string, Interpreter>();
  return (text) => {
    const language = readable(text);
    if (!language) return null;
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
function* candidatesIn(source: ReadSource, memories: readonly string[]): Steps<StatementCandidate[]> {
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
  const candidates: StatementCandidate[] = [];
  for (const utterance of inOrder) {
    const heard = { ...utterance, text: cutText(utterance.text, LONGEST_UTTERANCE) };
    const interpreter = interpreterOf(heard.text);
    if (!interpreter) yield;
    else if (!fresh.has(utterance)) yield* interpreter.hear(heard);
    else
      for (const statement of yield* interpreter.statements(heard)) {
        if (isKept(statement)) candidates.push(candidateOf(statement));
        yield;
      }
  }
  return candidates;
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

function* wantedLookups(source: ReadSource): Steps<MemoryLookup> {
  const facts = mostWorthIn(source, yield* candidatesIn(source, []));
  // The statement that this one ends or changes is found by its words; for a name alone, the nearest memories show whose brother it is.
  const changing = facts.filter(({ fact }) => fact && (fact.ends.length > 0 || fact.changes));
  const ofSlots = facts.filter(({ fact }) => fact?.slot && /^[^./]+\//.test(fact.slot));
  const named = [...changing, ...ofSlots];
  return {
    ...lookups(facts.flatMap(({ fact }) => fact ?? [])),
    nearestTo: withoutRepeats(named.map(({ statement }) => statement.memory)).slice(0, LIMITS.knownMemories),
  };
}

function* readByRules(request: ReadRequest): Steps<ReadResult> {
  const known = request.known.map(({ memory }) => memory);
  const drawn = mostWorthIn(request, yield* candidatesIn(request, known)).map(drawnMemory);
  return { memories: mergeRelated(yield* relateByRules(drawn, request.known, grammar)) };
}

function* relateDrawn(
  drawn: readonly DrawnMemory[],
  known: readonly KnownMemory[],
): Steps<readonly DrawnMemory[]> {
  return (yield* relateByRules(drawn, known, grammar)).map(({ memory }) => memory);
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
  relate: relateDrawn,
  describe: (memory) => {
    const fact = grammar.factOf(memory);
    return { isStatic: fact?.isStatic ?? false, slot: fact?.slot ?? null, about: fact?.about ?? null };
  },
});
