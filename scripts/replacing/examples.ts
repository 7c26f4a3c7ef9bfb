// The statements that the model of replacement learns from: what the reader draws from texts in `test/memories/` of which
// somebody wrote down what replaces what. No replacement is looked for meanwhile, so that the model has no part in its examples.
import type { ReadSource } from '../../server/adapters/language-model/ports/memory-reader.ts';
import { type Canonical, canonicalBy } from '../../server/domain/memories/rules/aliases.ts';
import { candidatesIn } from '../../server/domain/memories/rules/candidates.ts';
import { grammar } from '../../server/domain/memories/rules/grammar.ts';
import {
  NO_SURROUNDINGS,
  type Surroundings,
  surroundingsOf,
} from '../../server/domain/memories/rules/replacing/surroundings.ts';
import { finish } from '../../server/lib/async/steps.ts';
import { sourceOf } from '../../test/memories/book.ts';
import { matches, readFolder, type Scenario } from '../../test/memories/scenario.ts';
import { READ_SETS, type ReadSet, readSet } from '../../test/memories/sets.ts';
import { readMemoryTexts } from '../source/memory-texts.ts';
import { type Line, readWorlds, spokenLine, type World } from '../source/worlds.ts';
import type { Comparison, Label, Said } from './comparison.ts';
import { meantIn } from './meant-statements.ts';

const DAY_MS = 86_400_000;
const STARTED = Date.UTC(2025, 0, 10, 12);
const AROUND = 20;

const statementsIn = (source: ReadSource, known: readonly string[] = []): Said[] =>
  finish(candidatesIn(source, known, AROUND)).flatMap(({ statement: { memory, position }, fact }) =>
    fact?.sketch ? [{ memory, fact, position }] : [],
  );

const around = (drawn: readonly Said[], at: number): Surroundings =>
  surroundingsOf(
    drawn.map(({ memory, position }) => ({ memory, positions: [position] })),
    at,
    grammar,
  );

const canonicalOf = (said: readonly Said[]): Canonical =>
  canonicalBy(said.flatMap(({ memory }) => grammar.aliasesOf(memory)));

const drawnFrom = (lines: readonly Line[], day: number, known: readonly Said[] = []): Said[] =>
  statementsIn(
    {
      fresh: lines.map(({ speaker, words, isConversation }, position) => ({
        ...{ text: words, speaker, position, date: null },
        role: isConversation && speaker === null ? 'user' : null,
      })),
      around: [],
      conversation: lines.some(({ isConversation }) => isConversation),
      title: null,
      documentDate: STARTED + day * DAY_MS,
      guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
      served: [],
    },
    known.map(({ memory }) => memory),
  );

const NOT_REPLACED: Label = { isYes: false, weight: 1, isSameTime: false };
const SAME_TIME: Label = { ...NOT_REPLACED, isSameTime: true };
const REPLACED: Label = { ...NOT_REPLACED, isYes: true };

/** The number of other later statements that are taken from a world. */
const MOST_BEFORE = 8;

export const comparisonsOfWorld = ({ name, lineOf, ...world }: World): Comparison[] => {
  const group = `world ${name}`;
  const known = drawnFrom(world.known.map(lineOf), 0);
  const comparisons: Comparison[] = known
    .map((later, at) => ({
      ...{ group, later, around: around(known, at), canonical: canonicalOf(known) },
      earlier: known.slice(0, at).map((one): [Said, Label] => [one, SAME_TIME]),
    }))
    .filter((_, at) => at % 3 === 2);
  const before: { said: Said; replaces: readonly number[] }[] = [];
  const lines = [...world.later, ...world.chatter.map((text): [string, number[]] => [text, []])];
  for (const [text, replaces] of lines) {
    const drawn = drawnFrom([lineOf(text)], 30, known);
    const canonical = canonicalOf([...known, ...drawn]);
    const meantBy = new Map(
      replaces.map((place) => [
        place,
        meantIn(
          drawn,
          known.filter(({ position }) => position === place),
        ),
      ]),
    );
    for (const [at, later] of drawn.entries())
      comparisons.push({
        ...{ group, later, around: around(drawn, at), canonical },
        earlier: [
          ...known.flatMap((said): [Said, Label][] => {
            const meant = meantBy.get(said.position);
            if (!meant) return [[said, NOT_REPLACED]];
            return meant.later === later && meant.earlier === said ? [[said, REPLACED]] : [];
          }),
          ...before
            .slice(-MOST_BEFORE)
            .filter((other) => !other.replaces.some((place) => replaces.includes(place)))
            .map(({ said }): [Said, Label] => [said, NOT_REPLACED]),
        ],
      });
    before.push(...drawn.map((said) => ({ said, replaces })));
  }
  return comparisons;
};

/** The worlds outnumber the scenarios by far, and half of what they say later are near-misses by intent. */
const WEIGHT_OF_SCENARIO = 5;

/** Every two statements that are drawn from a scenario, in their order. */
const comparisonsOfScenario = (scenario: Scenario): Comparison[] => {
  const before: { said: Said; step: number }[] = [];
  const comparisons: Comparison[] = [];
  const factsOf = ({ memory }: Said) => scenario.facts.filter((fact) => matches(fact, memory));
  for (const [step, taken] of scenario.steps.entries()) {
    if (!('add' in taken)) continue;
    const known = before.map(({ said }) => said.memory);
    const drawn = statementsIn(sourceOf(taken, scenario), known);
    const canonical = canonicalOf([...before.map(({ said }) => said), ...drawn]);
    for (const [at, later] of drawn.entries()) {
      if (before.some(({ said }) => said.memory === later.memory)) continue;
      const fresh = factsOf(later);
      const earlier = before.flatMap(({ said, step: saidAt }): [Said, Label][] => {
        const facts = factsOf(said);
        const isYes = (scenario.relations ?? []).some(
          ([from, kind, to]) =>
            kind === 'updates' && fresh.some(({ id }) => id === from) && facts.some(({ id }) => id === to),
        );
        // The labels do not say by what such a fact is replaced.
        const isUnsure = !isYes && facts.some(({ state = 'latest' }) => state !== 'latest');
        return isUnsure ? [] : [[said, { isYes, weight: WEIGHT_OF_SCENARIO, isSameTime: saidAt === step }]];
      });
      comparisons.push({ group: scenario.id, later, around: around(drawn, at), canonical, earlier });
      before.push({ said: later, step });
    }
  }
  return comparisons;
};

type Twosome = readonly [before: string, after: string];
const SENTENCES = '../domain/memories/rules/sentences';

interface Pair {
  readonly before: string;
  readonly after: string;
  readonly change: boolean;
}

/** The pairs of the tests are promises. */
const PROMISED = 12;

const comparisonsOfPair = ({ before, after, change }: Pair, weight = 1): Comparison[] => {
  const known = drawnFrom([spokenLine(before, null)], 0);
  const fresh = drawnFrom([spokenLine(after, null)], 30, known);
  const isClear = known.length === 1 && fresh.length === 1;
  if (change && !isClear) return [];
  const label = { ...NOT_REPLACED, isYes: change, weight };
  return fresh.map((later, at) => ({
    ...{
      group: `pair ${before}`,
      later,
      around: around(fresh, at),
      canonical: canonicalOf([...known, ...fresh]),
    },
    earlier: known.map((earlier) => [earlier, label]),
  }));
};

/** Statements of many people that have nothing to do with each other. */
const unrelated = (): Comparison[] => {
  const sentences = readMemoryTexts<readonly { said: string; keep: boolean }[]>('worth/sentences.json');
  const kept = sentences.filter(({ keep }) => keep).map(({ said }) => said.replace(/^[^:]{1,20}: /, ''));
  const all = kept.flatMap((said) => drawnFrom([spokenLine(said, null)], 0));
  const isChosen = (place: number, at: number): boolean => place < at && (place * 31 + at * 17) % 7 === 0;
  return all.map((later, at) => ({
    ...{ group: `sentence ${at % 10}`, later, around: NO_SURROUNDINGS, canonical: (key: string) => key },
    earlier: all
      .filter((_, place) => isChosen(place, at))
      .map((earlier) => [earlier, { ...NOT_REPLACED, weight: 0.5 }]),
  }));
};

export const comparisonsOfSets = (sets: readonly ReadSet[]): Comparison[] =>
  sets.flatMap(readSet).flatMap(comparisonsOfScenario);

export const readComparisons = (sets: readonly ReadSet[] = READ_SETS): Comparison[] => {
  const { seen } = readMemoryTexts<{ seen: { updates: Twosome[]; stays: Twosome[] } }>(
    `${SENTENCES}/changed-values.json`,
  );
  const { replaces, leaves } = readMemoryTexts<{ replaces: Twosome[]; leaves: Twosome[] }>(
    `${SENTENCES}/changes.json`,
  );
  const pairs = ['home', 'work', 'projects', 'beside', 'several'].flatMap((name) =>
    readMemoryTexts<Pair[]>(`pairs/${name}.json`),
  );
  const promised = [
    ...[...seen.updates, ...replaces].map(([before, after]) => ({ before, after, change: true })),
    ...[...seen.stays, ...leaves].map(([before, after]) => ({ before, after, change: false })),
  ];
  return [
    ...readWorlds().flatMap(comparisonsOfWorld),
    ...comparisonsOfSets(sets),
    ...readFolder('scenarios').flatMap(comparisonsOfScenario),
    ...pairs.flatMap((pair) => comparisonsOfPair(pair)),
    ...promised.flatMap((pair) => comparisonsOfPair(pair, PROMISED)),
    ...unrelated(),
  ];
};
