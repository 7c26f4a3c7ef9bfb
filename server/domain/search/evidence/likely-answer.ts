// The signs by which a statement is a likely answer beside common words. They decide what is returned among few memories,
// and never the order: each of them is weak, and among many memories some statement always bears one.
import { asksForAttribute, statesAttribute } from '../../../lib/text/attributes.ts';
import { holdsKindAsked } from '../../../lib/text/kinds-of-answer.ts';
import { isInOtherLanguage } from '../../../lib/text/language/other-language.ts';
import { likenessOfRoots, nearestOfRoots } from '../../../lib/text/meanings/word-meanings.ts';
import { isSpeakerWord } from '../../../lib/text/statement-subject.ts';
import { rootOf } from '../../../lib/text/terms/derivations.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { type MemoryWords, memoryWords } from '../words/memory-words.ts';
import { isOfAnother, namesAsked } from './said-words.ts';

/**
 * In odds. Fitted on the questions of four sets of scenarios against questions about the same people that nothing answers,
 * and confirmed on four others (docs/decisions/0018-what-few-memories-return.md).
 */
const LIKENESS = 2.9;
const NEAREST = 6;
/** Two words that are less near are of different matters. */
const NEAR = 0.5;
const KIND = 0.8;
const OF_ANOTHER = -0.87;
const NOT_OF_THE_NAMED = -0.76;
/** A question in another language than English has no sign but the words themselves. */
const IN_OTHER_LANGUAGE = -1.5;

/** A word that a statement says in other words is nearly as near as the word itself. */
const OF_ATTRIBUTE = 0.9;

/** The odds that the signs add. */
export type LikelyAnswer = (text: string) => number;

export const likelyAnswer = (query: ParsedQuery): LikelyAnswer => {
  const names = namesAsked(query.text);
  const isAboutUser = query.terms.some(isSpeakerWord);
  const asked = query.terms.filter((term) => !names.has(term) && !isSpeakerWord(term)).map(rootOf);
  const holdsKind = holdsKindAsked(query.text);
  const isForeign = isInOtherLanguage(query.text);
  /** The one whom a memory is about is what the question narrows to, and not what it asks for. */
  const rootsBeside = ({ roots, subject }: MemoryWords): string[] => {
    const whom = new Set([...subject().stems].map(rootOf));
    return [...roots()].filter((root) => !whom.has(root) && !isSpeakerWord(root));
  };
  const nearest = (memory: MemoryWords, roots: readonly string[]): number =>
    Math.max(
      0,
      ...asked.map((root) => {
        if (memory.roots().has(root)) return 1;
        if (asksForAttribute(root) && statesAttribute(root, memory.text)) return OF_ATTRIBUTE;
        return nearestOfRoots([root], roots);
      }),
    );
  return (text) => {
    const memory = memoryWords(text);
    const roots = rootsBeside(memory);
    const isOfNamed = names.size === 0 || [...names].some((term) => memory.stems.has(term));
    return (
      LIKENESS * likenessOfRoots(asked, roots) +
      NEAREST * Math.max(0, nearest(memory, roots) - NEAR) +
      (holdsKind === undefined ? 0 : holdsKind(text) ? KIND : -KIND) +
      (isAboutUser && isOfAnother(memory.subject()) ? OF_ANOTHER : 0) +
      (isOfNamed ? 0 : NOT_OF_THE_NAMED) +
      (isForeign ? IN_OTHER_LANGUAGE : 0)
    );
  };
};
