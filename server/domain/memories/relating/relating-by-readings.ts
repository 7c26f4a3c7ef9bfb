// Relates statements by what another thread has read of them, for the thread that writes.
import type { WriterRelating } from '../../../adapters/store/ports/memories/remembering.ts';
import { lookups } from '../rules/lookups.ts';
import { relateDrawn } from '../rules/relating/relate.ts';
import { createRememberedGrammar, type ReadStatements } from '../rules/statement-readings.ts';
import { createRelating } from './relating.ts';

export const relatingByReadings = (readStatements: ReadStatements): WriterRelating => {
  const { grammar, noting, read } = createRememberedGrammar(readStatements);
  const relating = createRelating({ relate: (drawn, known) => relateDrawn(drawn, known, grammar), lookups });
  return { ...relating, noting, read };
};
