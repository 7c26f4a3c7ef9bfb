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

export const recentLine = (memory: RecalledMemory): string =>
  `[Recent] [${dayOf(saidAt(memory))}] ${shortened(memory.memory)}`;

export const bucketLine = ({ memory }: RecalledMemory): string => `[Recent] ${shortened(memory)}`;
