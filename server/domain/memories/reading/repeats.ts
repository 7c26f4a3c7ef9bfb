// Ignores text that Memoir itself gave to an agent: otherwise a mistake would confirm itself.

import { splitSentences } from '../../../lib/text/sentences/split-sentences.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';

const LABEL = /^[\p{L}\p{N} .'’-]{1,40}:\s+/u;
/**
 * True for a person's own words, even if Memoir returned the same sentence before: the person says them again, and a statement
 * with two sources must survive the deletion of one. Agents repeat memories in the third person.
 */
const OWN_WORDS = /\b(?:I|I'm|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|us)\b/;
const NONE: ReadonlySet<string> = new Set();

/** Equal for the same words in the same order; punctuation and blanks are ignored. */
const signature = (text: string): string => analyse(text).join(' ');

const signaturesOf = (served: readonly string[]): ReadonlySet<string> => {
  const signatures = new Set<string>();
  for (const text of served) {
    for (const part of [text, ...splitSentences(text, NONE)]) {
      signatures.add(signature(part));
      signatures.add(signature(part.replace(LABEL, '')));
    }
  }
  signatures.delete('');
  return signatures;
};

/** Cached by list, because the conversations of a tag share one list until Memoir returns something else there. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** True if a sentence only repeats one of the texts, or a sentence of them. The list must not change afterwards. */
export const repeats = (served: readonly string[]): ((sentence: string) => boolean) => {
  const signatures = known.get(served) ?? signaturesOf(served);
  known.set(served, signatures);
  return (sentence) =>
    signatures.size > 0 &&
    !OWN_WORDS.test(sentence) &&
    (signatures.has(signature(sentence)) || signatures.has(signature(sentence.replace(LABEL, ''))));
};

/** Removes repeated sentences from a text; a text without them is returned unchanged. */
export const withoutServed = (served: readonly string[]): ((text: string) => string) => {
  const isRepeated = repeats(served);
  if (served.length === 0) return (text) => text;
  return (text) => {
    const sentences = splitSentences(text, NONE);
    const kept = sentences.filter((sentence) => !isRepeated(sentence));
    return kept.length === sentences.length ? text : kept.join('\n');
  };
};
