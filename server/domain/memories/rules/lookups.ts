// The stored memories that statements may repeat, change or add to.
import type { MemoryLookup, StatementTraits } from '../../../adapters/language-model/ports/memory-reader.ts';

const USERS_NAME_SLOT = 'user/name';

/** A named person may be the user of another conversation. */
const alsoAsUser = (slot: string): string[] => [slot, slot.replace(/^[^./]+/, 'user')];

const withoutRepeats = (texts: readonly string[]): string[] => [...new Set(texts)];

export const lookups = (
  described: readonly Pick<StatementTraits, 'slot' | 'about'>[],
): Pick<MemoryLookup, 'slots' | 'abouts'> => {
  const slots = described.flatMap(({ slot }) => (slot === null ? [] : alsoAsUser(slot)));
  const abouts = described.flatMap(({ about }) => (about === null ? [] : alsoAsUser(about)));
  return { slots: withoutRepeats([USERS_NAME_SLOT, ...slots]), abouts: withoutRepeats(abouts) };
};
