// Writes a memory as one short line of a prompt, with a date if it is recent.
import type { RecalledMemory } from '../../adapters/store/ports/memories/recall.ts';
import { cutAtWord } from '../../lib/text/cut.ts';

/** Long memories are cut. */
const LONGEST_LINE = 240;

export const shortLine = (text: string): string => cutAtWord(text.replace(/\s+/gu, ' ').trim(), LONGEST_LINE);

/** The time of the statement, else the time of its storing. */
export const saidAt = ({ documentDate, createdAt }: RecalledMemory): number => documentDate ?? createdAt;

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const staticLine = ({ memory }: RecalledMemory): string => shortLine(memory);

const datedLine = (at: number, text: string): string => `[Recent] [${isoDay(at)}] ${shortLine(text)}`;

export const recentLine = (memory: RecalledMemory): string => datedLine(saidAt(memory), memory.memory);

/** Dated as the newest of the memories that it combines. */
export const recentSummary = (text: string, of: readonly RecalledMemory[]): string =>
  datedLine(
    of.reduce((newest, memory) => Math.max(newest, saidAt(memory)), 0),
    text,
  );

export const bucketLine = ({ memory }: RecalledMemory): string => `[Recent] ${shortLine(memory)}`;

export const bucketSummary = (text: string): string => `[Summary] ${shortLine(text)}`;
