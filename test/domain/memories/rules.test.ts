// Runs the common tests of a memory reader on the rules.
import { createRulesReader } from '../../../server/domain/memories/rules/reader.ts';
import { readerContract } from '../../adapters/language-model/contract.ts';

readerContract('the reader by rules', async () => ({ reader: createRulesReader(), close: async () => {} }));
