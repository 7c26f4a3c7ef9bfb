// The statements that the model of lasting facts learns from: what the reader draws from texts in `test/memories/` of which
// somebody wrote down if they last.
import { readdirSync } from 'node:fs';
import type { DrawnMemory } from '../../server/adapters/language-model/ports/memory-reader.ts';
import { lastingFeatures } from '../../server/domain/memories/rules/english/lasting/chance-of-lasting.ts';
import { grammar } from '../../server/domain/memories/rules/grammar.ts';
import { createRulesReader } from '../../server/domain/memories/rules/reader.ts';
import { wordsOfLater } from '../../server/domain/memories/rules/replacing/pair-words.ts';
import { play } from '../../test/memories/book.ts';
import { matches, readFolder, type Scenario } from '../../test/memories/scenario.ts';
import { READ_SETS, readSet } from '../../test/memories/sets.ts';
import type { Case } from '../source/boosting.ts';
import { MEMORY_TEXTS, readMemoryTexts } from '../source/memory-texts.ts';

export interface Statement extends Case {
  readonly group: string;
  readonly memory: string;
  readonly words: readonly string[];
  /** The rules alone say that it lasts. */
  readonly isMarked: boolean;
}

const reader = createRulesReader();
const SAID_AT = Date.UTC(2025, 0, 10, 12);

const drawnFrom = async (line: string, speaker: string | null): Promise<readonly DrawnMemory[]> => {
  const [, name, words] = /^(\p{Lu}[\p{L}.-]+(?: \p{Lu}\p{L}+)?): (.+)$/u.exec(line) ?? [];
  const by = name ?? speaker;
  const role = by === null ? ('user' as const) : null;
  const { memories } = await reader.read({
    fresh: [{ text: words ?? line, role, speaker: by, position: 0, date: null }],
    around: [],
    conversation: true,
    title: null,
    documentDate: SAID_AT,
    guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
    served: [],
    known: [],
  });
  return memories;
};

interface Labelled {
  readonly group: string;
  readonly memory: string;
  readonly isDated: boolean;
  readonly isYes: boolean;
  readonly weight: number;
}

/** A statement in another language has no features, and one that expires is never asked about. */
const labelledStatements = ({ memory, isDated, ...label }: Labelled): Statement[] => {
  const fact = grammar.factOf(memory);
  if (!fact?.sketch) return [];
  const row = lastingFeatures({ memory, fact, sketch: fact.sketch, isDated });
  return [{ ...label, memory, words: wordsOfLater(fact.sketch), isMarked: fact.isStatic, row }];
};

interface LabelOfLine {
  readonly isYes: boolean;
  readonly speaker: string | null;
  readonly weight?: number;
}

const statementsOf = async (
  group: string,
  line: string,
  { isYes, speaker, weight = 1 }: LabelOfLine,
): Promise<Statement[]> => {
  const drawn = (await drawnFrom(line, speaker)).filter(({ forgetAfter }) => forgetAfter === null);
  // A line may have several statements of which only one lasts.
  const share = drawn.length > 1 ? 0.5 : 1;
  return drawn.flatMap(({ memory, eventDates }) =>
    labelledStatements({ group, memory, isDated: eventDates.length > 0, isYes, weight: weight * share }),
  );
};

interface Said {
  readonly said: string;
  readonly lasts?: boolean;
}

const ofSentences = async (path: string): Promise<Statement[]> => {
  const statements: Statement[] = [];
  for (const [at, { said, lasts }] of readMemoryTexts<Said[]>(path).entries())
    if (lasts !== undefined)
      statements.push(...(await statementsOf(`${path} ${at % 12}`, said, { isYes: lasts, speaker: null })));
  return statements;
};

/** The lasting statements of a world are those that matter most; others of it may last too. */
const UNNAMED = 0.4;

interface World {
  /** Missing: each line names its own. */
  readonly speaker?: string;
  readonly known: readonly string[];
  /** The places of the known statements that last. */
  readonly lasting?: readonly number[];
}

const ofWorlds = async (path: string): Promise<Statement[]> => {
  const statements: Statement[] = [];
  for (const [world, { speaker, known, lasting }] of readMemoryTexts<World[]>(path).entries())
    for (const [place, line] of lasting === undefined ? [] : known.entries())
      statements.push(
        ...(await statementsOf(`${path} ${world}`, line, {
          isYes: lasting?.includes(place) ?? false,
          speaker: speaker === 'user' ? null : (speaker ?? null),
          weight: lasting?.includes(place) ? 1 : UNNAMED,
        })),
      );
  return statements;
};

/** The scenarios of the tests are promises. */
const PROMISED = 3;

const ofScenario = async (scenario: Scenario, weight = 1): Promise<Statement[]> => {
  const { everDrawn } = await play(scenario, reader);
  return everDrawn.flatMap(({ memory, eventDates, forgetAfter }) => {
    const labels = scenario.facts.flatMap((fact) =>
      fact.static !== undefined && matches(fact, memory) ? [fact.static] : [],
    );
    if (labels.length === 0 || forgetAfter !== null) return [];
    const isDated = eventDates.length > 0;
    return labelledStatements({ group: scenario.id, memory, isDated, isYes: labels.some(Boolean), weight });
  });
};

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`${folder}/`, MEMORY_TEXTS))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => `${folder}/${file}`);

export const readStatements = async (): Promise<Statement[]> => {
  const statements: Statement[] = [];
  for (const path of [...filesIn('lasting'), ...filesIn('worth')])
    statements.push(...(await ofSentences(path)));
  for (const path of filesIn('worlds')) statements.push(...(await ofWorlds(path)));
  for (const scenario of READ_SETS.flatMap(readSet)) statements.push(...(await ofScenario(scenario)));
  for (const scenario of readFolder('scenarios')) statements.push(...(await ofScenario(scenario, PROMISED)));
  return statements;
};
