// Sets of roots, weighed: a rare word that two statements share tells more than a frequent one.
import { meaningOfRoot } from '../../../../lib/text/meanings/word-meanings.ts';

/** A word that the table lacks is rare. */
export const weightOf = (root: string): number => meaningOfRoot(root)?.weight ?? 1;
export const sum = (roots: readonly string[]): number =>
  roots.reduce((total, root) => total + weightOf(root), 0);
export const share = (some: readonly string[], all: readonly string[]): number =>
  all.length === 0 ? 0 : sum(some) / Math.max(0.01, sum(all));
export const both = (one: readonly string[], other: readonly string[]): string[] =>
  one.filter((root) => other.includes(root));
export const without = (one: readonly string[], other: readonly string[]): string[] =>
  one.filter((root) => !other.includes(root));
