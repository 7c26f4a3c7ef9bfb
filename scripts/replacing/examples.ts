// The pairs of statements that the model of replacement learns from: what the reader draws from texts in `test/memories/`
// of which somebody wrote down what replaces what.
import { readFileSync } from 'node:fs';
import type { DrawnMemory, Utterance } from '../../server/adapters/language-model/ports/memory-reader.ts';
import { grammar } from '../../server/domain/memories/rules/grammar.ts';
import type { RuleFact } from '../../server/domain/memories/rules/language.ts';
import { createRulesReader } from '../../server/domain/memories/rules/reader.ts';
import { comparedOf, featuresWithEach } from '../../server/domain/memories/rules/replacing/pair-features.ts';
import { play, type Row } from '../../test/memories/book.ts';
import { matches, readFolder, type Scenario } from '../../test/memories/scenario.ts';
import { readSet } from '../../test/memories/sets.ts';

export interface Example {
  /** Pairs of one group are trained on or judged together. */
  readonly group: string;
  /** The later statement within its group. */
  readonly later: string;
  readonly earlier: string;
  readonly row: readonly number[];
  readonly isYes: boolean;
  readonly weight: number;
}

const reader = createRulesReader();
const DAY_MS = 86_400_000;
const STARTED = Date.UTC(2025, 0, 10, 12);

const readJson = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`../../test/memories/${path}`, import.meta.url), 'utf8')) as T;

/** "Anna: I like tea" is said by Anna. */
const utteranceOf = (said: string, speaker: string | null, position: number): Utterance => {
  const [, name, words] = /^(\p{Lu}[\p{L}.]+(?: \p{Lu}\p{L}+)?): (.+)$/u.exec(said) ?? [];
  const by = name ?? speaker;
  return {
    text: words ?? said,
    role: by === null ? 'user' : null,
    speaker: by,
    position,
    date: null,
  };
};

const drawnFrom = async (
  lines: readonly string[],
  speaker: string | null,
  day: number,
): Promise<readonly DrawnMemory[]> => {
  const { memories } = await reader.read({
    fresh: lines.map((line, at) => utteranceOf(line, speaker, at)),
    around: [],
    conversation: true,
    title: null,
    documentDate: STARTED + day * DAY_MS,
    guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
    served: [],
    known: [],
  });
  return memories;
};

interface Said {
  readonly memory: string;
  readonly fact: RuleFact;
}

const saidIn = (memories: readonly string[]): Said[] =>
  memories.flatMap((memory) => {
    const fact = grammar.factOf(memory);
    return fact?.sketch ? [{ memory, fact }] : [];
  });

interface Label {
  readonly isYes: boolean;
  readonly weight: number;
  readonly isSameTime: boolean;
}

/** A later statement with all earlier ones that it is compared with. */
const examplesOf = (group: string, later: Said, earlier: readonly (readonly [Said, Label])[]): Example[] => {
  const fresh = comparedOf(later.fact, (key) => key);
  const known = earlier.flatMap(([said, label]) => {
    const compared = said.memory === later.memory ? null : comparedOf(said.fact, (key) => key);
    return compared ? [{ ...compared, ...label, memory: said.memory }] : [];
  });
  if (!fresh) return [];
  const rows = featuresWithEach(fresh, known);
  return known.map(({ memory, isYes, weight }, at) => ({
    group,
    later: later.memory,
    earlier: memory,
    row: rows[at] ?? [],
    isYes,
    weight,
  }));
};

const lighter = ([said, label]: readonly [Said, Label]): [Said, Label] => [
  said,
  { ...label, weight: label.weight / 2 },
];

/** A container may hold many statements or few: the same among all, among some, and alone with its nearest. */
const examplesAmongMore = (
  group: string,
  later: Said,
  earlier: readonly (readonly [Said, Label])[],
): Example[] => {
  const all = examplesOf(group, later, earlier);
  const isReplaced = (one: readonly [Said, Label]): boolean => one[1].isYes;
  const nearness = ({ row }: Example): number => (row[1] ?? 0) + (row[8] ?? 0);
  const nearest = all.toSorted((one, other) => nearness(other) - nearness(one))[0]?.earlier;
  const alone = earlier.filter(
    (one) => isReplaced(one) || (one[0].memory === nearest && !earlier.some(isReplaced)),
  );
  const some = earlier.filter((one, at) => isReplaced(one) || at % 6 === 0);
  return [
    ...all,
    ...examplesOf(group, later, some.map(lighter)),
    ...examplesOf(group, later, alone.map(lighter)),
  ];
};

const NOT_REPLACED: Label = { isYes: false, weight: 1, isSameTime: false };
const SAME_TIME: Label = { ...NOT_REPLACED, isSameTime: true };

interface World {
  readonly speaker: string;
  readonly known: readonly string[];
  /** A later statement, and the places of those that it replaces. */
  readonly later: readonly (readonly [string, readonly number[]])[];
}

const examplesOfWorld = async (world: World, at: number): Promise<Example[]> => {
  const group = `world ${at}`;
  const speaker = world.speaker === 'user' ? null : world.speaker;
  const known = (await drawnFrom(world.known, speaker, 0)).flatMap(({ memory, positions }) =>
    saidIn([memory]).map((said) => ({ said, positions })),
  );
  const examples: Example[] = [];
  const before: { said: Said; replaces: readonly number[] }[] = [];
  for (const [text, replaces] of world.later) {
    const drawn = saidIn((await drawnFrom([text], speaker, 30)).map(({ memory }) => memory));
    for (const fresh of drawn)
      examples.push(
        ...examplesAmongMore(group, fresh, [
          ...known.map(({ said, positions }): [Said, Label] => {
            const isYes = positions.some((position) => replaces.includes(position));
            return [said, { isYes, weight: isYes && drawn.length > 1 ? 0.5 : 1, isSameTime: false }];
          }),
          ...before
            .filter((other) => !other.replaces.some((place) => replaces.includes(place)))
            .map(({ said }): [Said, Label] => [said, NOT_REPLACED]),
        ]),
      );
    before.push(...drawn.map((said) => ({ said, replaces })));
  }
  for (const [place, { said }] of known.entries()) {
    const others = known.slice(0, place).map(({ said: other }): [Said, Label] => [other, SAME_TIME]);
    examples.push(...examplesOf(group, said, others));
  }
  return examples;
};

/** Of a scenario: every two statements that were drawn, in their order. */
const examplesOfScenario = async (scenario: Scenario): Promise<Example[]> => {
  const { everDrawn } = await play(scenario, reader);
  const factsOf = ({ memory }: Row) => scenario.facts.filter((fact) => matches(fact, memory));
  return everDrawn.flatMap((later, at) => {
    const [one] = saidIn([later.memory]);
    if (!one) return [];
    const fresh = factsOf(later);
    const earlier = everDrawn.slice(0, at).flatMap((row): [Said, Label][] => {
      const known = factsOf(row);
      const isYes = (scenario.relations ?? []).some(
        ([from, kind, to]) =>
          kind === 'updates' && fresh.some(({ id }) => id === from) && known.some(({ id }) => id === to),
      );
      // The labels do not say by what such a fact is replaced.
      const isUnsure = !isYes && known.some(({ state = 'latest' }) => state !== 'latest');
      const isSameTime = later.saidAt === row.saidAt;
      return saidIn([row.memory]).map((said) => [said, { isYes, weight: isUnsure ? 0 : 1, isSameTime }]);
    });
    return examplesOf(scenario.id, one, earlier).filter(({ weight }) => weight > 0);
  });
};

type Twosome = readonly [before: string, after: string];
const SENTENCES = '../domain/memories/rules/sentences';

interface Pair {
  readonly before: string;
  readonly after: string;
  readonly change: boolean;
}

const examplesOfPair = async ({ before, after, change }: Pair): Promise<Example[]> => {
  const known = saidIn((await drawnFrom([before], null, 0)).map(({ memory }) => memory));
  const fresh = saidIn((await drawnFrom([after], null, 30)).map(({ memory }) => memory));
  const isClear = known.length === 1 && fresh.length === 1;
  if (change && !isClear) return [];
  return fresh.flatMap((later) =>
    examplesOf(
      `pair ${before}`,
      later,
      known.map((earlier) => [earlier, { ...NOT_REPLACED, isYes: change }]),
    ),
  );
};

/** Statements of many people that have nothing to do with each other. */
const unrelated = async (): Promise<Example[]> => {
  const sentences = readJson<readonly { said: string; keep: boolean }[]>('worth/sentences.json');
  const kept = sentences.filter(({ keep }) => keep).map(({ said }) => said.replace(/^[^:]{1,20}: /, ''));
  const all: Said[] = [];
  for (const said of kept)
    all.push(...saidIn((await drawnFrom([said], null, 0)).map(({ memory }) => memory)));
  return all.flatMap((later, at) =>
    examplesOf(
      `sentence ${at % 10}`,
      later,
      all
        .filter((_, place) => place < at && (place * 31 + at * 17) % 7 === 0)
        .map((earlier) => [earlier, { ...NOT_REPLACED, weight: 0.5 }]),
    ),
  );
};

export const readExamples = async (): Promise<Example[]> => {
  const examples: Example[] = [];
  for (const [at, world] of readJson<World[]>('worlds/worlds.json').entries())
    examples.push(...(await examplesOfWorld(world, at)));
  for (const scenario of [...readSet('tuned'), ...readSet('second'), ...readFolder('scenarios')])
    examples.push(...(await examplesOfScenario(scenario)));
  for (const name of ['home', 'work', 'projects', 'beside'])
    for (const pair of readJson<Pair[]>(`pairs/${name}.json`)) examples.push(...(await examplesOfPair(pair)));
  const { seen } = readJson<{ seen: { updates: Twosome[]; stays: Twosome[] } }>(
    `${SENTENCES}/changed-values.json`,
  );
  const { replaces, leaves } = readJson<{ replaces: Twosome[]; leaves: Twosome[] }>(
    `${SENTENCES}/changes.json`,
  );
  for (const [before, after] of [...seen.updates, ...replaces])
    examples.push(...(await examplesOfPair({ before, after, change: true })));
  for (const [before, after] of [...seen.stays, ...leaves])
    examples.push(...(await examplesOfPair({ before, after, change: false })));
  return [...examples, ...(await unrelated())];
};
