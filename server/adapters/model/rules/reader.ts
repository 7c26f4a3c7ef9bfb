// The reader without a model: statements by explicit rules, facts by tables, relations by their slots.
import { setImmediate as otherWork } from 'node:timers/promises';
import { filterBy } from '../guidance.ts';
import type {
  Description,
  DrawnMemory,
  KnownMemory,
  MemoryReader,
  ReaderLimits,
  ReadRequest,
  ReadResult,
  ReadSource,
  Utterance,
  Wanted,
} from '../port.ts';
import { repeats } from '../served.ts';
import { english } from './english/english.ts';
import type { Fact, Interpreter, Language, Statement } from './language.ts';
import { plain } from './plain.ts';
import { type Grammar, type Related, relate } from './relate.ts';
import { type Candidate, mostWorth } from './select.ts';

/** Languages with rules; `plain` takes what none of them recognises. */
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

/** A statement is short: the first language that understands it decides. */
const grammar: Grammar = {
  factOf: (memory) =>
    LANGUAGES.values()
      .map((language) => language.factOf(memory))
      .find((fact) => fact !== null) ?? null,
  aliasesOf: (memory) => LANGUAGES.flatMap((language) => language.aliasesOf(memory)),
};

/** One interpreter for each language that the document uses. */
function interpreters(source: ReadSource, memories: readonly string[]): (text: string) => Interpreter {
  const opened = new Map<string, Interpreter>();
  return (text) => {
    const language = languageOf(text);
    const known = opened.get(language.name);
    if (known) return known;
    const interpreter = language.open(source, memories);
    opened.set(language.name, interpreter);
    return interpreter;
  };
}

const drawnFrom = ({ statement, fact }: Candidate): DrawnMemory => ({
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

/** What the text says by itself, before anything known is looked at. */
function* candidatesIn(source: ReadSource, memories: readonly string[]): Generator<Candidate | null> {
  const interpreterOf = interpreters(source, memories);
  const filter = filterBy(source.guidance, (text) =>
    LANGUAGES.flatMap((language) => language.leftOutBy(text)),
  );
  // A document that says the same is another source of it; a conversation may only echo what it was given.
  const isRepeated = repeats(source.conversation ? source.served : []);
  const isKept = (statement: Statement): boolean =>
    !isRepeated(statement.said) && !filter.drops(statement.memory) && !filter.drops(statement.said);
  const candidateOf = (statement: Statement): Candidate => {
    const fact: Fact | null = grammar.factOf(statement.memory);
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

const bounded = (source: ReadSource, candidates: readonly Candidate[]): readonly Candidate[] =>
  source.conversation ? candidates : mostWorth(candidates, LIMITS.memoriesPerDocument);

/** Those that say the same become one, and references follow. */
function merged(related: readonly Related[]): DrawnMemory[] {
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
}

/** A named person may be the user of another conversation. */
const alsoAsUser = (slot: string): string[] => [slot, slot.replace(/^[^./]+/, 'user')];

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

const lookups = (
  subjects: readonly Pick<Description, 'slot' | 'about'>[],
): Pick<Wanted, 'slots' | 'abouts'> => {
  const slots = subjects.flatMap(({ slot }) => (slot === null ? [] : alsoAsUser(slot)));
  const abouts = subjects.flatMap(({ about }) => (about === null ? [] : alsoAsUser(about)));
  const always = LANGUAGES.flatMap(({ alwaysWanted }) => alwaysWanted);
  return { slots: unique([...always, ...slots]), abouts: unique(abouts) };
};

function wanted(source: ReadSource): Wanted {
  const facts = bounded(
    source,
    [...candidatesIn(source, [])].flatMap((one) => one ?? []),
  );
  // Of a bare name only its nearest memories tell whose brother it is.
  const named = facts.filter(({ fact }) => fact?.slot && /^[^./]+\//.test(fact.slot));
  return {
    ...lookups(facts.flatMap(({ fact }) => fact ?? [])),
    nearestTo: unique(named.map(({ statement }) => statement.memory)).slice(0, LIMITS.knownMemories),
  };
}

export function createRulesReader(): MemoryReader {
  async function read(request: ReadRequest, signal?: AbortSignal): Promise<ReadResult> {
    signal?.throwIfAborted();
    const candidates: Candidate[] = [];
    let utterances = 0;
    for (const candidate of candidatesIn(
      request,
      request.known.map(({ memory }) => memory),
    )) {
      if (candidate) candidates.push(candidate);
      else if (++utterances % UTTERANCES_BETWEEN_PAUSES === 0) {
        await otherWork();
        signal?.throwIfAborted();
      }
    }
    const drawn = bounded(request, candidates).map(drawnFrom);
    return { memories: merged(relate(drawn, request.known, grammar)) };
  }

  return {
    name: 'rules',
    limits: LIMITS,
    wanted,
    lookups,
    read,
    relate: (drawn: readonly DrawnMemory[], known: readonly KnownMemory[]) =>
      relate(drawn, known, grammar).map(({ memory }) => memory),
    describe: (memory) => {
      const fact = grammar.factOf(memory);
      return { isStatic: fact?.isStatic ?? false, slot: fact?.slot ?? null, about: fact?.about ?? null };
    },
  };
}
