// Cuts a long text into passages of about one size.
import { skipBlank, trimEnd } from '../../../lib/text/lines.ts';
import { passageEnd } from './passage-end.ts';

export interface Sizes {
  /** A text up to this length stays in one piece. */
  readonly whole: number;
  /** The largest size of a piece of a longer text. */
  readonly target: number;
}

/** With `lines`, ends of lines are preferred to ends of sentences, for code and lists of values. */
export const cutPassages = (text: string, sizes: Sizes, lines = false): string[] => {
  const passages: string[] = [];
  const end = trimEnd(text, 0, text.length);
  for (let at = skipBlank(text, 0, end); at < end; ) {
    const stop =
      end - at <= sizes.whole ? end : at + passageEnd(text.slice(at, at + sizes.target + 1), lines);
    passages.push(text.slice(at, trimEnd(text, at, stop)));
    at = skipBlank(text, stop, end);
  }
  return passages;
};
