// Turns a first-person text ("I live in Berlin") into the third person, from which facts are read.
import type { ReadSource } from '../../../../adapters/language-model/ports/memory-reader.ts';
import { finish } from '../../../../lib/async/steps.ts';
import { createMemo } from '../../../../lib/memo.ts';
import { createInterpreter } from './interpreter.ts';

const OWN_WORDS = /^(?:i|i['’](?:m|ve|d|ll)|my|mine|we|we['’](?:re|ve|d|ll)|our|ours)\b/i;

/** A statement is never longer, and a hostile text must not cost much time. */
const LONGEST = 500;

const aloneIn = (text: string): ReadSource => ({
  fresh: [{ text, role: 'user', speaker: null, position: 0, date: null }],
  around: [],
  conversation: true,
  title: null,
  documentDate: null,
  guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
  served: [],
});

const remembered = createMemo<string>(1_024);

/** A text of several statements is unchanged, because it is not a single fact. */
export const inThirdPerson = (statement: string): string => {
  if (statement.length > LONGEST || !OWN_WORDS.test(statement)) return statement;
  return remembered(statement, () => {
    const source = aloneIn(statement);
    const told = source.fresh.flatMap((utterance) =>
      finish(createInterpreter(source, []).statements(utterance)),
    );
    const [only, ...others] = told;
    return only && others.length === 0 ? only.memory : statement;
  });
};
