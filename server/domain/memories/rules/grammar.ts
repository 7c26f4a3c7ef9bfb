// Reads a finished statement, in any language that the rules read.
import { createMemo } from '../../../lib/memo.ts';
import { cutText } from '../../../lib/text/cut.ts';
import { factOf, verbless } from './english/fact.ts';
import { aliasesOf, aliasesOfPerson, userNameIn } from './english/naming.ts';
import { inThirdPerson } from './english/own-words.ts';
import { subjectOf } from './english/subject.ts';
import type { Alias, Grammar, RuleFact } from './language.ts';
import { NO_VERB, sketchOf } from './replacing/sketch.ts';
import { selfFactOf, somebodyToldOf, tiesToldIn, withEnglishUser } from './self-statements/finished.ts';
import type { Somebody } from './self-statements/grammar/somebody.ts';

/** No statement is longer: what a caller sends as one memory may be. */
const LONGEST_STATEMENT = 1_000;

const shortStatement = (memory: string): string => cutText(memory, LONGEST_STATEMENT);

/** Known memories are compared with each document of their tag. */
const aliases = createMemo<readonly Alias[]>(4_096);

/** The fact of a statement in another language, of which only the subject is in English. */
const factAbout = ({ subject: words, key, said }: Somebody): RuleFact => {
  const subject = { ...subjectOf(words), key };
  const memory = `${words}: ${said}`;
  return {
    ...verbless(memory),
    subject: subject.key,
    holder: subject.key,
    sketch: sketchOf(memory, { ...NO_VERB, ...subject, subject: words }),
  };
};

/** A statement is short, so the first language that understands it decides. */
export const grammar: Grammar = {
  factOf(memory) {
    const statement = shortStatement(memory);
    return selfFactOf(statement, () => {
      const somebody = somebodyToldOf(statement);
      return somebody ? factAbout(somebody) : factOf(inThirdPerson(withEnglishUser(statement)));
    });
  },
  aliasesOf: (memory) =>
    aliases(memory, () => {
      const statement = shortStatement(memory);
      const ties = tiesToldIn(statement);
      if (ties.length > 0) return ties;
      const somebody = somebodyToldOf(statement);
      return somebody ? aliasesOfPerson(somebody) : aliasesOf(inThirdPerson(statement));
    }),
};

/** The user's name, if the statement gives it. */
export const nameToldIn = (memory: string): string | null => userNameIn(inThirdPerson(memory));
