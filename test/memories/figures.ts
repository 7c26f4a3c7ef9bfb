// Prints how the reader by rules does on the scenarios, tuned and held out apart, and how fast it reads.
// node --disable-warning=ExperimentalWarning test/memories/figures.ts
import type { ReadRequest, Utterance } from '../../server/adapters/language-model/ports/memory-reader.ts';
import { createRulesReader } from '../../server/domain/memories/rules/reader.ts';
import { finish } from '../../server/lib/async/steps.ts';
import { play } from './book.ts';
import { figures, judge } from './judge.ts';
import { readScenarios, type Scenario } from './scenario.ts';

const TURNS = 20_000;
const TURNS_PER_CONVERSATION = 50;

const reader = createRulesReader();
const { tuned, heldOut } = readScenarios();

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function report(name: string, scenarios: readonly Scenario[]): Promise<void> {
  const verdicts = [];
  for (const scenario of scenarios) verdicts.push(judge(scenario, await play(scenario, reader)));
  const found = figures(verdicts);
  const text = Object.entries(found).map(
    ([key, value]) => `${key} ${Number.isInteger(value) ? value : value.toFixed(3)}`,
  );
  print(`${name}: ${text.join(', ')}`);
}

/** The turns of all scenarios, again and again, each a little different so that nothing is remembered from before. */
function conversations(): ReadRequest[] {
  const said = [...tuned, ...heldOut].flatMap(({ steps }) =>
    steps.flatMap((step) => ('turns' in step ? (step.turns ?? []) : [])),
  );
  return Array.from({ length: TURNS / TURNS_PER_CONVERSATION }, (_, at) => ({
    fresh: Array.from({ length: TURNS_PER_CONVERSATION }, (_, position): Utterance => {
      const place = at * TURNS_PER_CONVERSATION + position;
      const [who = 'user', text = ''] = said[place % said.length] ?? [];
      const role = who === 'user' || who === 'assistant' ? who : null;
      return {
        text: `${text} That was number ${place}.`,
        role,
        speaker: role === null ? who : null,
        position,
        date: null,
      };
    }),
    around: [],
    conversation: true,
    title: null,
    documentDate: Date.UTC(2023, 4, 8),
    guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
    served: [],
    known: [],
  }));
}

async function reportSpeed(): Promise<void> {
  const requests = conversations();
  let memories = 0;
  const start = performance.now();
  const before = process.cpuUsage();
  for (const request of requests) {
    finish(reader.lookupFor(request));
    memories += (await reader.read(request)).memories.length;
  }
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  const perCpuSecond = TURNS / ((user + system) / 1e6);
  print(
    `speed (wanted and read): ${Math.round(TURNS / seconds)} turns/s, ${Math.round(perCpuSecond)} per CPU second, ${Math.round(memories / seconds)} memories/s`,
  );
}

await report('tuned', tuned);
await report('held out', heldOut);
await reportSpeed();
