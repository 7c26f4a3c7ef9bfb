// The evidence of words over memories. Each memory names whom it is about, so that a name is in all of them: it narrows, and
// what is said beside it decides, by stems, derivations and the attribute that the question asks for.
import { LRUCache } from 'lru-cache';
import type { KeywordMatches } from '../../../adapters/store/ports/search.ts';
import { once } from '../../../lib/once.ts';
import { analyse } from '../../../lib/text/analyse.ts';
import { statesAttribute } from '../../../lib/text/attributes.ts';
import { rootOf } from '../../../lib/text/derivations.ts';
import { readSubject, type WhomItIsAbout } from '../../../lib/text/statement-subject.ts';
import { stemsOf } from '../../../lib/text/stems.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { termRarityAmongMemories } from '../words/rarity.ts';

const DERIVED = 0.9;
const ATTRIBUTE = 0.8;
/** A question about somebody, or about oneself, is answered less likely by what is known of another. */
const OF_SOMEBODY_ELSE = 0.5;
/** The share of what is said against the words as they are weighed everywhere. */
const SAID = 0.6;

const ABOUT_ONESELF = /\b(?:i|me|my|mine|myself)\b/iu;
const NAMES = /(?<=\S\s+)\p{Lu}[\p{L}\p{M}-]*/gu;

/** The terms of the names in a question; its first word may be none. */
export const namesAsked = (question: string): ReadonlySet<string> =>
  new Set((question.match(NAMES) ?? []).flatMap(analyse));

interface AskedTerm {
  readonly term: string;
  readonly forms: readonly string[];
  readonly root: string;
  readonly importance: number;
}

const askedTerms = (query: ParsedQuery, { frequencies, chunks }: KeywordMatches): AskedTerm[] =>
  query.terms.map((term, at) => ({
    term,
    forms: query.forms[at] ?? [],
    root: rootOf(term),
    importance: termRarityAmongMemories(term, frequencies[at] ?? 0, chunks) * (query.repeats[at] ?? 1),
  }));

/** A memory as a question is compared with it. Most questions need neither its roots nor its subject. */
interface ReadMemory {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly roots: () => ReadonlySet<string>;
  readonly subject: () => Subject;
}

interface Subject extends WhomItIsAbout {
  readonly stems: ReadonlySet<string>;
}

const readMemory = (text: string): ReadMemory => {
  const stems = new Set([...analyse(text), ...stemsOf(text)]);
  return {
    text,
    stems,
    roots: once(() => new Set([...stems].map(rootOf))),
    subject: once(() => {
      const subject = readSubject(text);
      return { ...subject, stems: new Set(subject.names.flatMap(analyse)) };
    }),
  };
};

/** In characters, about 25 MB: each search of a tag weighs the same memories again. */
const MOST_CHARACTERS = 1_500_000;

const cache = new LRUCache<string, ReadMemory>({
  maxSize: MOST_CHARACTERS,
  sizeCalculation: ({ text }) => Math.max(1, text.length),
  memoMethod: readMemory,
});

/** "Anna's sister lives in Bremen" for a question about Anna that does not name the sister. */
const isOfRelative = (
  { owner, tie, names: subjects }: WhomItIsAbout,
  names: ReadonlySet<string>,
  asked: readonly AskedTerm[],
): boolean => {
  if (owner === null || tie === null || !analyse(owner).some((term) => names.has(term))) return false;
  const others = subjects.filter((name) => name !== owner).flatMap(analyse);
  const named = new Set([...analyse(tie), ...others]);
  return !asked.some(({ term }) => named.has(term));
};

const isOfAnother = ({ tie, isUser, names }: WhomItIsAbout): boolean =>
  tie === null && !isUser && names.length > 0;

const sumOf = (terms: readonly AskedTerm[], share: (term: AskedTerm) => number): number =>
  terms.reduce((sum, term) => sum + term.importance * share(term), 0);

/** The strength of the words of a query in the text of a memory, of which `words` was the strength by frequency alone. */
export type SaidStrength = (text: string, words: number) => number;

export const saidStrength = (query: ParsedQuery, found: KeywordMatches): SaidStrength => {
  const asked = askedTerms(query, found);
  const names = namesAsked(query.text);
  const isAboutOneself = names.size === 0 && ABOUT_ONESELF.test(query.text);
  /** The name of the one whom the memory is about narrows, and does not score. */
  const scored = ({ subject }: ReadMemory): readonly AskedTerm[] =>
    names.size === 0 ? asked : asked.filter(({ term }) => !(names.has(term) && subject().stems.has(term)));
  const held = ({ term, forms, root }: AskedTerm, { stems, roots, text }: ReadMemory): number => {
    if (stems.has(term)) return 1;
    if (forms.some((form) => stems.has(form))) return DERIVED;
    if (names.has(term)) return 0;
    if (roots().has(root)) return DERIVED;
    return statesAttribute(root, text) ? ATTRIBUTE : 0;
  };
  const isOther = ({ subject }: ReadMemory): boolean => {
    if (isAboutOneself) return isOfAnother(subject());
    return names.size > 0 && isOfRelative(subject(), names, asked);
  };
  return (text, words) => {
    const memory = cache.memo(text);
    const said = scored(memory);
    const ideal = sumOf(said, () => 1);
    if (ideal === 0) return words;
    const share = sumOf(said, (term) => held(term, memory)) / ideal;
    return ((1 - SAID) * words + SAID * share) * (isOther(memory) ? OF_SOMEBODY_ELSE : 1);
  };
};
