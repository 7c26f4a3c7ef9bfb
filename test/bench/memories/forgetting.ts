// Compares the choice of forget-matching with labelled requests. Dry runs only: each world is filled once.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './play.ts';

interface World {
  readonly world: string;
  readonly memories: Readonly<Record<string, string>>;
  readonly requests: readonly { id: string; kind: string; query: string; forgets: readonly string[] }[];
}

interface Outcome {
  readonly query: string;
  readonly kind: string;
  /** The memories that should go, and those of them that go. */
  readonly inside: number;
  readonly gone: number;
  /** Memories that go although they should not. */
  readonly outside: readonly string[];
}

const FOLDER = join(import.meta.dirname, '..', '..', 'memories', 'forgetting');

const readWorlds = (half: 'tuned' | 'held'): World[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(`${half}.json`))
    .flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as World[]);

async function playWorld(service: Service, world: World, tag: string): Promise<Outcome[]> {
  const contents = Object.values(world.memories).map((content) => ({ content }));
  await service.memories.create({ containerTag: tag, memories: contents });
  const outcomes: Outcome[] = [];
  for (const { query, kind, forgets } of world.requests) {
    const named = await service.memories.wouldForget({ containerTag: tag, query, dryRun: true });
    const wanted = new Set(forgets.map((key) => world.memories[key]));
    const gone = named.filter((memory) => wanted.has(memory));
    const outside = named.filter((memory) => !wanted.has(memory));
    outcomes.push({ query, kind, inside: wanted.size, gone: gone.length, outside });
  }
  return outcomes;
}

const printOutcomes = (what: string, outcomes: readonly Outcome[]): void => {
  const sum = (of: (one: Outcome) => number): number => outcomes.reduce((all, one) => all + of(one), 0);
  const [gone, inside] = [sum((one) => one.gone), sum((one) => one.inside)];
  const careless = outcomes.filter(({ outside }) => outside.length > 0).length;
  console.log(
    `${what}: ${outcomes.length} requests, ${careless} forget something outside, ${gone} of ${inside} inside go`,
  );
};

export async function measureForgetting(
  service: Service,
  half: 'tuned' | 'held',
  details: boolean,
): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const [at, world] of readWorlds(half).entries())
    outcomes.push(...(await playWorld(service, world, `bench-forgetting-${half}-${at}`)));
  if (details)
    for (const { query, inside, gone, outside } of outcomes)
      if (gone < inside || outside.length > 0)
        console.log(`"${query}": ${gone} of ${inside} inside, outside: ${outside.join(' | ') || 'none'}`);
  printOutcomes(`forgetting, ${half}`, outcomes);
  for (const [kind, some] of Map.groupBy(outcomes, (one) => one.kind)) printOutcomes(`  ${kind}`, some);
}
