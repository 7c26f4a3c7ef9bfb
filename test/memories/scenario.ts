// A memory scenario: the messages with their times, and the memories that must follow. The rows are in `scenarios/`.
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** Words that a memory must hold, each a choice ("doesn't|no longer"), as whole words and whatever their case. */
const words = z.array(z.string());

const matcher = z.strictObject({ says: words, not: words.optional() });

const turn = z.union([
  z.tuple([z.string(), z.string()]),
  /** Who, what, and the turn's own date. */
  z.tuple([z.string(), z.string(), z.iso.date()]),
]);

const step = z.union([
  z.strictObject({
    add: z.string(),
    date: z.iso.date().optional(),
    title: z.string().optional(),
    /** Texts that were handed to an agent before. */
    served: words.optional(),
    turns: z.array(turn).optional(),
    text: z.string().optional(),
  }),
  z.strictObject({ delete: z.string() }),
  z.strictObject({ forget: words }),
  z.strictObject({ now: z.iso.date() }),
]);

const fact = z.strictObject({
  id: z.string(),
  ...matcher.shape,
  static: z.boolean().optional(),
  /** Default: latest. */
  state: z.enum(['latest', 'superseded', 'forgotten', 'expired', 'erased']).optional(),
  dates: z.array(z.iso.date()).optional(),
  sources: z.array(z.string()).optional(),
});

const scenario = z.strictObject({
  id: z.string(),
  category: z.enum([
    'stated',
    'restated',
    'changed',
    'contradicted',
    'extended',
    'dated',
    'negated',
    'hypothetical',
    'somebody-else',
    'forgotten',
    'expiring',
    'deleted',
    'questions',
    'greetings',
    'guidance',
    'served',
    'documents',
  ]),
  guidance: z
    .strictObject({
      entityContext: words.optional(),
      filterPrompt: z.string().optional(),
      includeItems: words.optional(),
      excludeItems: words.optional(),
    })
    .optional(),
  steps: z.array(step),
  facts: z.array(fact),
  relations: z.array(z.tuple([z.string(), z.enum(['updates', 'extends']), z.string()])).optional(),
  /** Memories that are allowed and not required. */
  optional: z.array(z.strictObject({ ...matcher.shape, static: z.boolean().optional() })).optional(),
  absent: z.array(matcher).optional(),
  /** No memory at all. */
  none: z.boolean().optional(),
});

export type Scenario = z.output<typeof scenario>;
export type Step = z.output<typeof step>;
export type AddStep = Extract<Step, { add: string }>;
export type ExpectedFact = z.output<typeof fact>;
export type Matcher = z.output<typeof matcher>;

/** Scenarios whose names begin so were written before the rules, and the rules are not fitted to them. */
const HELD_OUT = 'h-';

export interface Scenarios {
  readonly tuned: readonly Scenario[];
  readonly heldOut: readonly Scenario[];
}

export function readScenarios(): Scenarios {
  const folder = new URL('scenarios/', import.meta.url);
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => z.array(scenario).parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
  const [heldOut = [], tuned = []] = [true, false].map((held) =>
    all.filter(({ id }) => id.startsWith(HELD_OUT) === held),
  );
  return { tuned, heldOut };
}

const holds = (memory: string, choice: string): boolean =>
  choice.split('|').some((text) => {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(memory);
  });

export const matches = ({ says, not = [] }: Matcher, memory: string): boolean =>
  says.every((choice) => holds(memory, choice)) && !not.some((choice) => holds(memory, choice));
