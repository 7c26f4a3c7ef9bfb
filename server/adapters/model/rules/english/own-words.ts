// What somebody wrote of themselves ("I live in Berlin") as it is told of them: facts are read from the third person.
import type { ReadSource } from '../../port.ts';
import { createMemo } from '../memo.ts';
import { createInterpreter } from './interpreter.ts';

const OWN_WORDS = /^(?:i|i['’](?:m|ve|d|ll)|my|mine|we|we['’](?:re|ve|d|ll)|our|ours)\b/i;

/** One statement is no longer; and a hostile text must not hold up whoever relates it. */
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

/** Several statements in one stay as they are: no single fact is theirs. */
export const inThirdPerson = (statement: string): string => {
  if (statement.length > LONGEST || !OWN_WORDS.test(statement)) return statement;
  return remembered(statement, () => {
    const source = aloneIn(statement);
    const told = source.fresh.flatMap((utterance) => createInterpreter(source, []).statements(utterance));
    const [only, ...others] = told;
    return only && others.length === 0 ? only.memory : statement;
  });
};
