// The words of a memory, as questions and passages are compared with them. Each search of a tag weighs the same memories
// again, so they are kept.
import { createMemo } from '../../../lib/memo.ts';
import { once } from '../../../lib/once.ts';
import { readSubject, type WhomItIsAbout } from '../../../lib/text/statement-subject.ts';
import { analyse, termsOfWords, wordsOfText } from '../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../lib/text/terms/derivations.ts';
import { stemsOfText } from '../../../lib/text/terms/stems.ts';

interface Subject extends WhomItIsAbout {
  readonly stems: ReadonlySet<string>;
}

/** Most comparisons need neither its roots nor its subject. */
export interface MemoryWords {
  readonly text: string;
  /** In English and in the language of the memory. */
  readonly stems: ReadonlySet<string>;
  /** The roots of all its stems. */
  readonly roots: () => ReadonlySet<string>;
  /** The roots of its English stems alone. */
  readonly englishRoots: () => ReadonlySet<string>;
  readonly subject: () => Subject;
}

const readMemory = (text: string): MemoryWords => {
  const words = wordsOfText(text);
  const terms = termsOfWords(words);
  const others = stemsOfText(text, words);
  const stems = new Set([...terms, ...others]);
  const englishRoots = once(() => new Set(terms.map(rootOf)));
  return {
    text,
    stems,
    roots: others.length === 0 ? englishRoots : once(() => new Set([...stems].map(rootOf))),
    englishRoots,
    subject: once(() => {
      const subject = readSubject(text);
      return { ...subject, stems: new Set(subject.names.flatMap(analyse)) };
    }),
  };
};

/** In characters; about 30 MB, with those of the generation before. */
const MOST_CHARACTERS = 1_000_000;

const kept = createMemo<MemoryWords>(MOST_CHARACTERS, (text) => Math.max(1, text.length));

export const memoryWords = (text: string): MemoryWords => kept(text, () => readMemory(text));
