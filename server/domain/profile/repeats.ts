// Leaves out of a profile what another line says already: the fuller of two statements is shown.
import { rootsOf } from '../../lib/text/terms/derivations.ts';

const DENIES = /\b(?:not|no|never|n't|without|none)\b|n't\b/iu;

/** The words of the subject and the verb: "The user's son plays chess" does not repeat "The user plays chess". */
const BEGINNING = 2;

interface Said {
  readonly beginning: string;
  readonly roots: ReadonlySet<string>;
  readonly isDenied: boolean;
}

const readRoots = (statement: string): Said => {
  const roots = rootsOf(statement);
  return {
    beginning: roots.slice(0, BEGINNING).join(' '),
    roots: new Set(roots),
    isDenied: DENIES.test(statement),
  };
};

const saysAll = (fuller: Said, one: Said): boolean =>
  one.roots.size >= BEGINNING &&
  one.beginning === fuller.beginning &&
  one.isDenied === fuller.isDenied &&
  one.roots.isSubsetOf(fuller.roots);

/** In the order of the statements; a fuller one takes the place of the first that it repeats. */
export const withoutRepeats = <Item>(items: readonly Item[], statementOf: (item: Item) => string): Item[] => {
  const kept: { item: Item; said: Said }[] = [];
  for (const item of items) {
    const one = { item, said: readRoots(statementOf(item)) };
    if (kept.some((other) => saysAll(other.said, one.said))) continue;
    const place = kept.findIndex((other) => saysAll(one.said, other.said));
    if (place < 0) kept.push(one);
    else kept.splice(place, 1, one);
  }
  return kept.map(({ item }) => item);
};
