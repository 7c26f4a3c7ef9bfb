// A memory scenario: the messages with their times, and the memories that must follow. Those that the tests play are in
// `scenarios/`; those that `npm run bench:memory` plays are in a folder for each set (sets.ts).
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** Words that a memory must hold, each a choice ("doesn't|no longer"), as whole words and whatever their case. */
const words = z.array(z.string());

/** The categories of the sets of `npm run bench:memory`. */
const KINDS = [
  ...['chat', 'chatter', 'group', 'journal', 'minutes', 'code', 'email', 'preferences', 'correction'],
  ...['temporary', 'ended', 'several', 'introduction', 'who', 'reference'],
  ...['german', 'spanish', 'french', 'italian', 'portuguese', 'chinese'],
  ...['dutch', 'polish', 'turkish', 'russian', 'japanese', 'korean', 'arabic', 'hindi'],
] as const;

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
    /** Lines, if there are several. */
    text: z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))]).optional(),
  }),
  z.strictObject({ delete: z.string() }),
  z.strictObject({ forget: words }),
  z.strictObject({ now: z.iso.date() }),
]);

/** A day, or one that is so many days after the day of sending. */
const day = z.union([z.iso.date(), z.string().regex(/^\+\d+$/)]);

const fact = z.strictObject({
  id: z.string(),
  ...matcher.shape,
  /** True: the profile shows it as lasting; false: as going on. */
  static: z.boolean().optional(),
  /** Default: latest. "gone": in no memory that holds, whether one was drawn or not. */
  state: z.enum(['latest', 'superseded', 'forgotten', 'expired', 'erased', 'gone']).optional(),
  dates: z.array(day).optional(),
  /** The day until which it holds. */
  until: day.optional(),
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
    ...KINDS,
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
  /** Statements that no memory has to hold, and that are found all the same. */
  passages: z.array(z.strictObject({ id: z.string(), ...matcher.shape })).optional(),
  /** A plain question, and the fact or passage that answers it. */
  questions: z.array(z.tuple([z.string(), z.string()])).optional(),
});

export type Scenario = z.output<typeof scenario>;
export type Turn = z.output<typeof turn>;
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

export function readFolder(name: string): Scenario[] {
  const folder = new URL(`${name}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => z.array(scenario).parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))));
}

export function readScenarios(): Scenarios {
  const all = readFolder('scenarios');
  const [heldOut = [], tuned = []] = [true, false].map((held) =>
    all.filter(({ id }) => id.startsWith(HELD_OUT) === held),
  );
  return { tuned, heldOut };
}

/** Scripts that write words without spaces, or with endings joined to them. */
const UNSPACED_SCRIPTS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u');

const holds = (memory: string, choice: string): boolean =>
  choice.split('|').some((text) => {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (UNSPACED.test(text)) return memory.includes(text);
    // "5 mg" does not stand in "2.5 mg"; "13855550142" stands in "号码是13855550142".
    const joined = `(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{N}]`;
    const before = `(?<!${joined}|\\p{N}[.,:])`;
    const after = `(?!${joined}|[.,:]\\p{N})`;
    return new RegExp(`${before}${escaped}${after}`, 'iu').test(memory);
  });

export const matches = ({ says, not = [] }: Matcher, memory: string): boolean =>
  says.every((choice) => holds(memory, choice)) && !not.some((choice) => holds(memory, choice));
