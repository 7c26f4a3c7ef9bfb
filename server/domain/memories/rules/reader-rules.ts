// The rules that the reader with a language model shares.
import type { ReaderRules } from '../../../adapters/language-model/ports/memory-reader.ts';
import { filterBy } from '../reading/guidance.ts';
import { withoutServed } from '../reading/repeats.ts';
import { createRulesReader } from './reader.ts';

export const createReaderRules = (): ReaderRules => ({
  ...createRulesReader(),
  excluding: (guidance) => filterBy(guidance, () => []).drops,
  withoutServed,
});
