// Applies the owner's guidance: drops sentences that name excluded things, and prefers those that name wanted things.

import type { Guidance } from '../../../adapters/language-model/ports/memory-reader.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';

export interface GuidanceFilter {
  drops(text: string): boolean;
  /** True if the text names something from the instructions. */
  raises(text: string): boolean;
}

/** Words of instructions that name no subject. */
const ABOUT_REMEMBERING = new Set(
  analyse(
    'remember store save extract keep record note focus only always important user users people person conversation conversations chat message document documents information details detail fact facts memory memories context anything everything about include capture track prefer preference preferences their this tag contains',
  ),
);

const termSets = (texts: readonly string[]): string[][] =>
  texts.map((text) => analyse(text)).filter((terms) => terms.length > 0);

/** `leftOutBy` finds the things that instructions exclude. */
export const filterBy = (
  guidance: Guidance,
  leftOutBy: (instruction: string) => string[],
): GuidanceFilter => {
  const instructions = [
    ...guidance.entityContext,
    ...(guidance.filterPrompt === null ? [] : [guidance.filterPrompt]),
  ];
  const dropped = termSets([...guidance.excludeItems, ...instructions.flatMap(leftOutBy)]);
  const droppedTerms = new Set(dropped.flat());
  const wanted = new Set(
    termSets([...guidance.includeItems, ...(guidance.categories ?? []), ...instructions])
      .flat()
      .filter((term) => !droppedTerms.has(term) && !ABOUT_REMEMBERING.has(term)),
  );
  return {
    drops: (text) => {
      if (dropped.length === 0) return false;
      const terms = new Set(analyse(text));
      return dropped.some((item) => item.every((term) => terms.has(term)));
    },
    raises: (text) => wanted.size > 0 && analyse(text).some((term) => wanted.has(term)),
  };
};
