// A memory as a line of a prompt: short, dated where that matters, without line breaks.
import type { RecalledMemory } from '../../adapters/store/recall-port.ts';
import { cutText } from '../../lib/text/cut.ts';

/** A statement is a sentence; who stores an essay as one memory gets its beginning. */
const LONGEST = 240;
const ELLIPSIS = '…';

/** Cut at the end of a word, where there is one in the last third. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= LONGEST) return line;
  const cut = cutText(line, LONGEST - ELLIPSIS.length);
  const end = cut.lastIndexOf(' ');
  return `${(end > (LONGEST * 2) / 3 ? cut.slice(0, end) : cut).trimEnd()}${ELLIPSIS}`;
}

/** When it was said, else when it was stored. */
export const saidAt = ({ documentDate, createdAt }: RecalledMemory): number => documentDate ?? createdAt;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const staticLine = ({ memory }: RecalledMemory): string => shortened(memory);

const recent = (at: number, text: string): string => `[Recent] [${dayOf(at)}] ${shortened(text)}`;

export const recentLine = (memory: RecalledMemory): string => recent(saidAt(memory), memory.memory);

/** As recent as the newest of what it puts together. */
export const recentSummary = (text: string, of: readonly RecalledMemory[]): string =>
  recent(
    of.reduce((newest, memory) => Math.max(newest, saidAt(memory)), 0),
    text,
  );

export const bucketLine = ({ memory }: RecalledMemory): string => `[Recent] ${shortened(memory)}`;

export const bucketSummary = (text: string): string => `[Summary] ${shortened(text)}`;
