// The `Language` of English for the reader by rules.
import type { Language } from '../language.ts';
import { factOf } from './fact.ts';
import { createInterpreter } from './interpreter.ts';
import { aliasesOf } from './naming.ts';
import { inThirdPerson } from './own-words.ts';
import { leftOutBy } from './sentences/instructed.ts';

export const english: Language = {
  name: 'en',
  open: (source, memories) => createInterpreter(source, memories.map(inThirdPerson)),
  factOf: (memory) => factOf(inThirdPerson(memory)),
  aliasesOf: (memory) => aliasesOf(inThirdPerson(memory)),
  leftOutBy,
  alwaysWanted: ['user/name'],
};
