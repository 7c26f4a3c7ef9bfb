// From sections to a question that a model can answer in one go, and from its answer to lines. What the answer leaves
// out is said in its own words: no fact is lost by it.
import type { SummaryLine, SummaryRequest } from '../../adapters/model/summary-port.ts';
import type { RecalledMemory } from '../../adapters/store/recall-port.ts';
import { analyse } from '../../lib/text/analyse.ts';
import { saidAt } from './lines.ts';
import { linesOf, type Section } from './sections.ts';

/** A section can say more in other words than it has lines: so many times as much is asked of the model. */
const FACTS_PER_LINE = 3;
/** With instructions and answer this fits into the 8,192 tokens that small local models take. */
const MOST_CHARACTERS = 10_000;
/** Longer statements are cut where they stand by themselves. */
const WHOLE = 240;

export interface Question {
  request: SummaryRequest;
  /** What its facts are, by their places. */
  memories: readonly RecalledMemory[];
}

/** Null: nothing can be put together. A memory that stands in several sections is one fact. */
export function questionOf(sections: readonly Section[]): Question | null {
  const places = new Map<number, number>();
  const memories: RecalledMemory[] = [];
  let room = MOST_CHARACTERS;
  const placeOf = (memory: RecalledMemory): number[] => {
    const known = places.get(memory.n);
    if (known !== undefined) return [known];
    if (memory.memory.length > room) return [];
    room -= memory.memory.length;
    places.set(memory.n, memories.length);
    return [memories.push(memory) - 1];
  };
  const asked = sections.map(({ name, about, memories: own, most }) => ({
    name,
    about,
    facts: own.slice(0, most * FACTS_PER_LINE).flatMap(placeOf),
  }));
  const worthwhile = asked.filter(({ facts }) => facts.length > 1);
  if (worthwhile.length === 0) return null;
  const facts = memories.map((memory) => ({ text: memory.memory, date: saidAt(memory) }));
  return { request: { facts, sections: worthwhile }, memories };
}

/** A line that shares no word with what it is said to rest on was made up. */
const restsOn = (text: string, of: readonly RecalledMemory[]): boolean => {
  const said = new Set(of.flatMap(({ memory }) => analyse(memory)));
  return analyse(text).some((term) => said.has(term));
};

interface Placed {
  /** In the section, of the first that it says. */
  at: number;
  text: string;
}

/** The lines of a section: what was put together and what was not, in the order of the section. */
export function summedUp(
  section: Section,
  written: readonly SummaryLine[],
  { memories }: Question,
): string[] {
  const order = new Map(section.memories.map((memory, at) => [memory.n, at]));
  const cited = new Set<number>();
  const placed: Placed[] = [];
  for (const { text, of } of written) {
    const own = of.flatMap((place) => memories[place] ?? []).filter(({ n }) => order.has(n));
    const [only] = own;
    if (only === undefined || !restsOn(text, own)) continue;
    const alone = own.length === 1 && only.memory.length <= WHOLE;
    for (const { n } of own) cited.add(n);
    const at = Math.min(...own.map(({ n }) => order.get(n) ?? 0));
    placed.push({ at, text: alone ? section.line(only) : section.together(text, own) });
  }
  for (const [at, memory] of section.memories.slice(0, section.most).entries())
    if (!cited.has(memory.n)) placed.push({ at, text: section.line(memory) });
  const lines = placed.sort((a, b) => a.at - b.at).map(({ text }) => text);
  return [...new Set(lines)].slice(0, section.most);
}

/** All sections: those that the model was not asked about stay as they are. */
export const summaryOf = (
  sections: readonly Section[],
  written: ReadonlyMap<string, readonly SummaryLine[]>,
  question: Question,
): Map<string, string[]> =>
  new Map(
    sections.map((section) => {
      const lines = written.get(section.name);
      return [section.name, lines === undefined ? linesOf(section) : summedUp(section, lines, question)];
    }),
  );
