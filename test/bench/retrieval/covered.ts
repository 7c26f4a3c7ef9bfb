// Finds the turns in a returned text, which a service may cut, join and label.
import type { BenchDocument, Turn } from './space.ts';

const GRAM = 4;
/** This share of a turn's word groups must be in the text for the turn to count as returned. */
const ENOUGH = 0.6;

/** Ignores spelling and punctuation. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’]/g, "'")
    .toLowerCase()
    .replace(/'s\b/g, '')
    .replaceAll("'", '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const gramsOf = (words: readonly string[]): string[] =>
  words.slice(GRAM - 1).map((_, at) => words.slice(at, at + GRAM).join(' '));

interface Known {
  id: string;
  words: readonly string[];
  grams: readonly string[];
}

const knownOf = ({ id, text, recognisedBy }: Turn): Known => {
  const words = wordsOf(recognisedBy ?? text);
  return { id, words, grams: gramsOf(words) };
};

function isIn(spaced: string, { words, grams }: Known): boolean {
  // All words of such a short turn must stand together, because a single word proves nothing.
  if (grams.length < 2) return words.length >= 2 && spaced.includes(` ${words.join(' ')} `);
  const found = grams.filter((gram) => spaced.includes(` ${gram} `)).length;
  return found / grams.length >= ENOUGH;
}

export interface Matcher {
  /** The turns in the text, of one document if it is known. */
  turnsIn(text: string, document: string | null): string[];
}

export function createMatcher(documents: readonly BenchDocument[]): Matcher {
  const byDocument = new Map(documents.map(({ id, turns }) => [id, turns.map(knownOf)]));
  const all = [...byDocument.values()].flat();
  return {
    turnsIn(text, document) {
      const spaced = ` ${wordsOf(text).join(' ')} `;
      const among = (document === null ? undefined : byDocument.get(document)) ?? all;
      return among.filter((known) => isIn(spaced, known)).map(({ id }) => id);
    },
  };
}
