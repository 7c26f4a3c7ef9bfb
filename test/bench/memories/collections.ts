// Texts without labels: how many memories are drawn from them, and a sample of them to read.
import { writeFileSync } from 'node:fs';
import { createMatcher } from '../retrieval/covered.ts';
import { sentAs } from '../retrieval/sent.ts';
import { loadSet } from '../retrieval/sets/load.ts';
import type { Space, Turn } from '../retrieval/space.ts';
import { type Random, randomFrom } from '../support/texts.ts';
import type { Service } from './play.ts';

/** The conversations of the development half on which memories were first read and judged: 1,771 turns. */
const JUDGED = new Set(['conv-26', 'conv-41', 'conv-47']);
const SAMPLE = 60;
const SENDING = { format: 'lines', perTurn: false } as const;
const AT_ONCE = 200;

interface Drawn {
  readonly space: Space;
  readonly memory: string;
}

/** Returns the seconds until all documents are read. */
const fill = async ({ client }: Service, tag: string, space: Space): Promise<number> => {
  const started = performance.now();
  const sent = space.documents.flatMap((document) => sentAs(tag, document, SENDING));
  for (let from = 0; from < sent.length; from += AT_ONCE) {
    const some = sent.slice(from, from + AT_ONCE);
    await client.done(await Promise.all(some.map((one) => client.add(tag, one))));
  }
  return (performance.now() - started) / 1000;
};

const chosenFrom = <T>(items: readonly T[], count: number, random: Random): T[] => {
  const left = [...items];
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  return chosen;
};

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []);

/** The turn that a memory comes from: the one with most of its words. */
const sourceOf = ({ space, memory }: Drawn): Turn | undefined => {
  const words = [...wordsOf(memory)];
  const matcher = createMatcher(space.documents);
  const turns = space.documents.flatMap((document) => document.turns);
  const certain = new Set(matcher.turnsIn(memory, null));
  const score = (turn: Turn): number => {
    const said = wordsOf(`${turn.speaker ?? ''} ${turn.text}`);
    return words.filter((word) => said.has(word)).length + (certain.has(turn.id) ? words.length : 0);
  };
  return turns.map((turn) => ({ turn, score: score(turn) })).sort((a, b) => b.score - a.score)[0]?.turn;
};

const lineOf = (drawn: Drawn, at: number): string => {
  const source = sourceOf(drawn);
  const said = source === undefined ? '(none)' : `${source.speaker ?? ''} ${source.id}: ${source.text}`;
  return `${at + 1}. ${drawn.memory}\n   ${drawn.space.id} ${said}\n   judged:\n`;
};

export async function measureLocomo(
  service: Service,
  { sample, seed }: { sample: string; seed: number },
): Promise<void> {
  const spaces = loadSet('locomo:dev').spaces;
  const drawn: Drawn[] = [];
  const totals = { turns: 0, memories: 0, updates: 0, seconds: 0 };
  for (const space of spaces) {
    const tag = `bench-${space.id}`;
    const seconds = await fill(service, tag, space);
    const { entries, relations } = await service.memories.known(tag);
    const turns = space.documents.flatMap((document) => document.turns).length;
    const updates = relations.filter(([, kind]) => kind === 'updates').length;
    console.log(`locomo ${space.id}: ${turns} turns, ${entries.length} memories, ${updates} updates`);
    if (!JUDGED.has(space.id)) continue;
    drawn.push(...entries.map(({ memory }) => ({ space, memory })));
    totals.turns += turns;
    totals.memories += entries.length;
    totals.updates += updates;
    totals.seconds += seconds;
  }
  const { turns, memories, updates, seconds } = totals;
  console.log(
    `locomo ${[...JUDGED].join(', ')}: ${turns} turns, ${memories} memories, ${updates} updates, ${seconds.toFixed(1)} s`,
  );
  writeFileSync(sample, chosenFrom(drawn, SAMPLE, randomFrom(seed)).map(lineOf).join('\n'));
  console.log(`${SAMPLE} memories with the turns they come from: ${sample}`);
}

export async function measureScifact(service: Service): Promise<void> {
  const [space] = loadSet('scifact').spaces;
  if (space === undefined) return;
  const seconds = await fill(service, 'bench-scifact', space);
  const memories = await service.memories.countIn('bench-scifact');
  const perSecond = space.documents.length / seconds;
  console.log(
    `scifact: ${space.documents.length} abstracts, ${memories} memories, ${perSecond.toFixed(0)} abstracts/s`,
  );
}
