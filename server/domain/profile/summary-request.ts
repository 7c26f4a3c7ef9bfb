// Turns sections into one summary request, and the model's answer into lines. A memory that the answer omits keeps a line of
// its own, so that no fact is lost.
import type { SummaryLine, SummaryRequest } from '../../adapters/language-model/ports/summariser.ts';
import type { WeighedMemory } from '../../adapters/store/ports/memories/recall.ts';
import { analyse } from '../../lib/text/terms/analyse.ts';
import { saidAt } from './lines.ts';
import { type ProfileSection, sectionLines } from './sections.ts';

/** A summary line combines facts, so that more facts are sent than the section has lines. */
const FACTS_PER_LINE = 3;
/** Fits into the 8,192 tokens of small local models, together with the instructions and the answer. */
const MOST_CHARACTERS = 10_000;
/** A longer statement would be cut in a line of its own. */
const LONGEST_UNCUT = 240;

export interface SummaryPlan {
  request: SummaryRequest;
  /** The memories of the facts, by index. */
  memories: readonly WeighedMemory[];
}

/** Null: there is nothing to combine. A memory in several sections is one fact. */
export const planSummary = (sections: readonly ProfileSection[]): SummaryPlan | null => {
  const indexes = new Map<number, number>();
  const memories: WeighedMemory[] = [];
  let room = MOST_CHARACTERS;
  const factIndexes = (memory: WeighedMemory): number[] => {
    const known = indexes.get(memory.n);
    if (known !== undefined) return [known];
    if (memory.memory.length > room) return [];
    room -= memory.memory.length;
    indexes.set(memory.n, memories.length);
    return [memories.push(memory) - 1];
  };
  const candidates = sections.map(({ name, about, memories: own, most }) => ({
    name,
    about,
    facts: own.slice(0, most * FACTS_PER_LINE).flatMap(factIndexes),
  }));
  const worthwhile = candidates.filter(({ facts }) => facts.length > 1);
  if (worthwhile.length === 0) return null;
  const facts = memories.map((memory) => ({ text: memory.memory, date: saidAt(memory) }));
  return { request: { facts, sections: worthwhile }, memories };
};

/** A line that shares no word with its facts is invented. */
const sharesWord = (text: string, of: readonly WeighedMemory[]): boolean => {
  const factTerms = new Set(of.flatMap(({ memory }) => analyse(memory)));
  return analyse(text).some((term) => factTerms.has(term));
};

interface PlacedLine {
  /** The index of its first memory in the section. */
  at: number;
  text: string;
}

/** The summary lines of a section and its remaining memories, in the order of the section. */
export const summarisedSection = (
  section: ProfileSection,
  written: readonly SummaryLine[],
  { memories }: SummaryPlan,
): string[] => {
  const order = new Map(section.memories.map((memory, at) => [memory.n, at]));
  const cited = new Set<number>();
  const placed: PlacedLine[] = [];
  for (const { text, of } of written) {
    const own = of.flatMap((place) => memories[place] ?? []).filter(({ n }) => order.has(n));
    const [only] = own;
    if (only === undefined || !sharesWord(text, own)) continue;
    const alone = own.length === 1 && only.memory.length <= LONGEST_UNCUT;
    for (const { n } of own) cited.add(n);
    const at = Math.min(...own.map(({ n }) => order.get(n) ?? 0));
    placed.push({ at, text: alone ? section.line(only) : section.summaryLine(text, own) });
  }
  for (const [at, memory] of section.memories.slice(0, section.most).entries())
    if (!cited.has(memory.n)) placed.push({ at, text: section.line(memory) });
  const lines = placed.sort((a, b) => a.at - b.at).map(({ text }) => text);
  return [...new Set(lines)].slice(0, section.most);
};

/** All sections; those that were not sent to the model keep their plain lines. */
export const summarisedSections = (
  sections: readonly ProfileSection[],
  written: ReadonlyMap<string, readonly SummaryLine[]>,
  question: SummaryPlan,
): Map<string, string[]> =>
  new Map(
    sections.map((section) => {
      const lines = written.get(section.name);
      return [
        section.name,
        lines === undefined ? sectionLines(section) : summarisedSection(section, lines, question),
      ];
    }),
  );
