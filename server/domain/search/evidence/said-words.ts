// The evidence of words over memories. Each memory names whom it is about, so that a name is in all of them: it narrows, and
// what is said beside it decides, by stems, derivations and the attribute that the question asks for.
import type { KeywordMatches } from '../../../adapters/store/ports/search.ts';
import { analyse } from '../../../lib/text/analyse.ts';
import { statesAttribute } from '../../../lib/text/attributes.ts';
import { rootOf } from '../../../lib/text/derivations.ts';
import { readSubject, type WhomItIsAbout } from '../../../lib/text/statement-subject.ts';
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

interface AskedTerm {
  readonly term: string;
  readonly root: string;
  readonly importance: number;
}

const askedTerms = (query: ParsedQuery, { frequencies, chunks }: KeywordMatches): AskedTerm[] =>
  query.terms.map((term, at) => ({
    term,
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

/** The strength of the words of a query in the text of a memory, of which `words` was the strength by frequency alone. */
export type SaidStrength = (text: string, words: number) => number;

export const saidStrength = (query: ParsedQuery, found: KeywordMatches): SaidStrength => {
  const asked = askedTerms(query, found);
  const names = new Set((query.text.match(NAMES) ?? []).flatMap(analyse));
  const isAboutOneself = names.size === 0 && ABOUT_ONESELF.test(query.text);
  return (text, words) => {
    const subject = readSubject(text);
    const subjects = new Set(subject.names.flatMap(analyse));
    const said = asked.filter(({ term }) => !(names.has(term) && subjects.has(term)));
    const ideal = said.reduce((sum, { importance }) => sum + importance, 0);
    if (ideal === 0) return words;
    const stems = new Set(analyse(text));
    const roots = new Set([...stems].map(rootOf));
    const held = ({ term, root }: AskedTerm): number => {
      if (stems.has(term)) return 1;
      if (names.has(term)) return 0;
      return roots.has(root) ? DERIVED : statesAttribute(root, text) ? ATTRIBUTE : 0;
    };
    const share = said.reduce((sum, each) => sum + each.importance * held(each), 0) / ideal;
    const isOther = isAboutOneself
      ? subject.tie === null && !subject.isUser && subject.names.length > 0
      : isOfRelative(subject, names, asked);
    return ((1 - SAID) * words + SAID * share) * (isOther ? OF_SOMEBODY_ELSE : 1);
  };
};
