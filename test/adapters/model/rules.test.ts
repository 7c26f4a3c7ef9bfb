import { createRulesReader } from '../../../server/adapters/model/rules/reader.ts';
import { readerContract } from './contract.ts';

readerContract('the reader by rules', async () => ({ reader: createRulesReader(), close: async () => {} }));
