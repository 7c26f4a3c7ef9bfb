// What Memoir itself handed to an agent and now comes back is not learned again: a mistake would confirm itself.
import { analyse } from '../../lib/text/analyse.ts';
import { sentencesOf } from './sentences.ts';

const LABEL = /^[\p{L}\p{N} .'’-]{1,40}:\s+/u;
/**
 * Somebody's own words, even if Memoir showed the same sentence before: then they are said again, and what was said
 * by two sources must outlive one of them. What agents repeat from memory is told in the third person.
 */
const OWN_WORDS = /\b(?:I|I'm|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|us)\b/;
const NONE: ReadonlySet<string> = new Set();

/** The same words in the same order, whatever stands between them. */
const signature = (text: string): string => analyse(text).join(' ');

function signaturesOf(served: readonly string[]): ReadonlySet<string> {
  const signatures = new Set<string>();
  for (const text of served) {
    for (const part of [text, ...sentencesOf(text, NONE)]) {
      signatures.add(signature(part));
      signatures.add(signature(part.replace(LABEL, '')));
    }
  }
  signatures.delete('');
  return signatures;
}

/** One list is asked about for every conversation of its tag, as long as nothing else is handed out there. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Whether a sentence merely repeats one of the texts, or a sentence of them. The list must not change afterwards. */
export function repeats(served: readonly string[]): (sentence: string) => boolean {
  const signatures = known.get(served) ?? signaturesOf(served);
  known.set(served, signatures);
  return (sentence) =>
    signatures.size > 0 &&
    !OWN_WORDS.test(sentence) &&
    (signatures.has(signature(sentence)) || signatures.has(signature(sentence.replace(LABEL, ''))));
}

/** Takes the sentences that merely repeat out of a text; a text without them stays as it is. */
export function withoutServed(served: readonly string[]): (text: string) => string {
  const isRepeated = repeats(served);
  if (served.length === 0) return (text) => text;
  return (text) => {
    const sentences = sentencesOf(text, NONE);
    const kept = sentences.filter((sentence) => !isRepeated(sentence));
    return kept.length === sentences.length ? text : kept.join('\n');
  };
}
