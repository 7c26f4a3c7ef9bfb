// The evidence of words over memories. Each memory names whom it is about, so that a name is in all of them: it narrows, and
// what is said beside it decides, by stems, derivations and the attribute that the question asks for.
import type { KeywordMatches } from '../../../adapters/store/ports/search.ts';
import { asksForAttribute, statesAttribute } from '../../../lib/text/attributes.ts';
import { isSpeakerWord, type WhomItIsAbout } from '../../../lib/text/statement-subject.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../lib/text/terms/derivations.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { type MemoryWords, memoryWords } from '../words/memory-words.ts';
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

export const isOfAnother = ({ tie, isUser, names }: WhomItIsAbout): boolean =>
  tie === null && !isUser && names.length > 0;

const sumOf = (terms: readonly AskedTerm[], share: (term: AskedTerm) => number): number =>
  terms.reduce((sum, term) => sum + term.importance * share(term), 0);

/** The strength by frequency without what the narrowing names gave it; `rest` is the share of the other words. */
const withoutNames = (words: number, rest: number): number =>
  rest === 1 ? words : Math.min(words, Math.max(0, words - (1 - rest)) / rest);

/** The strength of the words of a query in the text of a memory, of which `words` was the strength by frequency alone. */
export type SaidStrength = (text: string, words: number) => number;

export const saidStrength = (query: ParsedQuery, found: KeywordMatches): SaidStrength => {
  const asked = askedTerms(query, found);
  const names = namesAsked(query.text);
  const isAboutOneself = names.size === 0 && ABOUT_ONESELF.test(query.text);
  const isAboutSomebody = names.size > 0 || asked.some(({ term }) => isSpeakerWord(term));
  /** The name of the one whom the memory is about narrows, and does not score; so does "the user". */
  const scored = ({ subject }: MemoryWords): readonly AskedTerm[] => {
    if (!isAboutSomebody) return asked;
    const { isUser, stems } = subject();
    return asked.filter(
      ({ term }) => !(names.has(term) && stems.has(term)) && !(isUser && isSpeakerWord(term)),
    );
  };
  const held = ({ term, forms, root }: AskedTerm, { stems, roots, text }: MemoryWords): number => {
    if (stems.has(term)) return 1;
    if (forms.some((form) => stems.has(form))) return DERIVED;
    if (names.has(term)) return 0;
    if (roots().has(root)) return DERIVED;
    return statesAttribute(root, text) ? ATTRIBUTE : 0;
  };
  const isOther = ({ subject }: MemoryWords): boolean => {
    if (isAboutOneself) return isOfAnother(subject());
    return names.size > 0 && isOfRelative(subject(), names, asked);
  };
  const whole = sumOf(asked, () => 1);
  return (text, words) => {
    const memory = memoryWords(text);
    const said = scored(memory);
    const ideal = sumOf(said, () => 1);
    if (ideal === 0) return words;
    const share = sumOf(said, (term) => held(term, memory)) / ideal;
    const isAsked = said.some(({ root }) => asksForAttribute(root));
    const beside = isAsked ? withoutNames(words, ideal / whole) : words;
    return ((1 - SAID) * beside + SAID * share) * (isOther(memory) ? OF_SOMEBODY_ELSE : 1);
  };
};
