// Cuts one long utterance into parts, at a line end, a sentence end or a blank where there is one.
import { cutText } from '../../../lib/text/cut.ts';
import type { Utterance } from '../ports/memory-reader.ts';

/** The end of the last sentence or line in the window's second half, else of its last word, else the window itself. */
const partEnd = (text: string, longest: number): number => {
  const window = cutText(text, longest);
  for (const mark of ['\n', '. ', ' ']) {
    const end = window.lastIndexOf(mark);
    if (end > longest / 2) return end + mark.trimEnd().length;
  }
  return Math.max(1, window.length);
};

export const utteranceParts = (utterance: Utterance, longest: number): Utterance[] => {
  const parts: Utterance[] = [];
  let rest = utterance.text;
  while (rest.length > longest) {
    const end = partEnd(rest, longest);
    parts.push({ ...utterance, text: rest.slice(0, end).trim() });
    rest = rest.slice(end).trim();
  }
  parts.push({ ...utterance, text: rest });
  return parts;
};
