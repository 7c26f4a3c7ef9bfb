// Tests of the choice of the memory that stands for a passage.
import { describe, expect, it } from 'vitest';
import type { RecalledMemory } from '../../../../server/adapters/store/ports/memories/recall.ts';
import type { ChunkWithDocument } from '../../../../server/adapters/store/ports/search.ts';
import { memoryCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import { standingMemories } from '../../../../server/domain/search/ranking/standing-memories.ts';

const ranked = <Candidate>(candidate: Candidate, order: number) => ({
  candidate,
  evidence: order,
  order,
  floor: 0,
  sure: order,
  similarity: order,
});
const memory = (n: number, text: string, order = 0.5) =>
  ranked(
    memoryCandidate({ n, memory: text, documentDate: null, isInference: false } as RecalledMemory),
    order,
  );
const passage = (n: number, text: string) => ranked({ n, text } as ChunkWithDocument, 0.9);

const PASSAGE = 'I keep bees behind the barn. My brother mends clocks in Basel.';
const bees = memory(1, 'Ida keeps bees behind the barn');
const clocks = memory(2, "Ida's brother mends clocks in Basel");

const chosen = (
  query: string,
  { text = PASSAGE, stated = [bees, clocks], found = [] as number[], passages = [passage(11, text)] } = {},
) =>
  [
    ...standingMemories({
      query,
      passages,
      statedBy: () => stated,
      isFound: ({ candidate }) => found.includes(candidate.n),
    }),
  ].map(([n, { candidate }]) => [n, candidate.n]);

describe('the memory that stands for a passage', () => {
  it('states the sentence that the query asks for', () => {
    expect(chosen('Who mends clocks?')).toEqual([[11, 2]]);
    expect(chosen('Where are the bees?')).toEqual([[11, 1]]);
  });

  it('is none where no memory states that sentence', () => {
    expect(chosen('Who mends clocks?', { stated: [bees] })).toEqual([]);
  });

  it('is one that the query found itself where the words of the passage do not tell', () => {
    expect(chosen('honey')).toEqual([]);
    expect(chosen('honey', { found: [1] })).toEqual([[11, 1]]);
  });

  it('is the only one of a passage of one sentence, in whatever words it says the same', () => {
    const rows = memory(3, 'The user goes rowing at weekends');
    expect(chosen('sport', { text: 'Saturdays I am out on the lake.', stated: [rows] })).toEqual([[11, 3]]);
  });

  it('is none where the query matches the passage for something else', () => {
    const text = 'I keep bees behind the barn, and my brother mends clocks in Basel, and the roof leaks';
    expect(
      chosen('Does the roof leak?', { text, stated: [memory(1, 'Ida keeps bees behind the barn', 0.1)] }),
    ).toEqual([]);
  });

  it('stands for the best of the passages that state it, and for no other', () => {
    const passages = [passage(11, PASSAGE), passage(12, PASSAGE)];
    expect(chosen('Where are the bees?', { passages, stated: [bees] })).toEqual([[11, 1]]);
  });
});
