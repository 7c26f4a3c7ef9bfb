// The statements that a label means: it names lines, and the reader draws several statements from some.
import type { Sketch } from '../../server/domain/memories/rules/language.ts';
import { both, sum, without } from '../../server/domain/memories/rules/replacing/root-sets.ts';
import { likenessOfRoots } from '../../server/lib/text/meanings/word-meanings.ts';
import type { Said } from './comparison.ts';

/** The words of change, in the table of signs. */
const SIGNS_OF_CHANGE = [0, 1, 2, 3, 6, 7];
/** Decides where the words of two statements are as near to the earlier one. */
const OF_CHANGE = 0.3;

const wordsOf = ({ words, names }: Sketch): string[] => [...words, ...names];

const nearness = ({ fact: { sketch: later } }: Said, { fact: { sketch: earlier } }: Said): number => {
  if (!later || !earlier) return 0;
  const [fresh, known] = [wordsOf(later), wordsOf(earlier)];
  const common = both(fresh, known);
  const change = later.signs.some((sign) => SIGNS_OF_CHANGE.includes(sign)) ? OF_CHANGE : 0;
  return sum(common) + likenessOfRoots(without(fresh, common), without(known, common)) + change;
};

export interface Meant {
  readonly later: Said;
  readonly earlier: Said;
}

/** The nearest two: one of a line that replaces another line, and one of the other. */
export const meantIn = (laterLine: readonly Said[], earlierLine: readonly Said[]): Meant | null => {
  let nearest: (Meant & { near: number }) | null = null;
  for (const later of laterLine)
    for (const earlier of earlierLine) {
      const near = nearness(later, earlier);
      if (near > (nearest?.near ?? -1)) nearest = { later, earlier, near };
    }
  return nearest;
};
