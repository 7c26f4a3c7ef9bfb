// Cutting a long text into passages of about one size.
import { skipBlank, trimEnd } from './lines.ts';
import { passageEnd } from './sentences.ts';

export interface Sizes {
  /** A text up to here stays in one piece. */
  readonly whole: number;
  /** Where it must be cut, pieces come up to this size. */
  readonly target: number;
}

/** With `lines`, ends of lines count for more than ends of sentences: code, lists of values. */
export function cutPassages(text: string, sizes: Sizes, lines = false): string[] {
  const passages: string[] = [];
  const end = trimEnd(text, 0, text.length);
  for (let at = skipBlank(text, 0, end); at < end; ) {
    const stop =
      end - at <= sizes.whole ? end : at + passageEnd(text.slice(at, at + sizes.target + 1), lines);
    passages.push(text.slice(at, trimEnd(text, at, stop)));
    at = skipBlank(text, stop, end);
  }
  return passages;
}
