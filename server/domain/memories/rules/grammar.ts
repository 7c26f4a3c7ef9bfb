// Reads a finished statement, in any language that the rules read.
import { createMemo } from '../../../lib/memo.ts';
import { cutText } from '../../../lib/text/cut.ts';
import { factOf } from './english/fact.ts';
import { aliasesOf, userNameIn } from './english/naming.ts';
import { inThirdPerson } from './english/own-words.ts';
import type { Alias, Grammar } from './language.ts';
import { selfFactOf, withEnglishUser } from './self-statements/self-statements.ts';

/** No statement is longer: what a caller sends as one memory may be. */
const LONGEST_STATEMENT = 1_000;

const shortStatement = (memory: string): string => cutText(memory, LONGEST_STATEMENT);

/** Known memories are compared with each document of their tag. */
const aliases = createMemo<readonly Alias[]>(4_096);

/** A statement is short, so the first language that understands it decides. */
export const grammar: Grammar = {
  factOf(memory) {
    const statement = shortStatement(memory);
    return selfFactOf(statement) ?? factOf(inThirdPerson(withEnglishUser(statement)));
  },
  aliasesOf: (memory) => aliases(memory, () => aliasesOf(inThirdPerson(shortStatement(memory)))),
};

/** The user's name, if the statement gives it. */
export const nameToldIn = (memory: string): string | null => userNameIn(inThirdPerson(memory));
