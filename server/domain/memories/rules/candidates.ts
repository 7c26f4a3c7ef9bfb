// The statements of a text alone, before they are compared with known memories.
import type { ReadSource, Utterance } from '../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../lib/async/steps.ts';
import { withoutCodeLines } from '../../../lib/text/code-lines.ts';
import { cutText } from '../../../lib/text/cut.ts';
import { languageOf } from '../../../lib/text/language/language-of.ts';
import { filterBy } from '../reading/guidance.ts';
import { repeats } from '../reading/repeats.ts';
import { createInterpreter } from './english/interpreter.ts';
import { asMessages } from './english/layout/messages.ts';
import { mayDeny } from './english/sentences/denials.ts';
import { leftOutBy } from './english/sentences/instructed.ts';
import { grammar, nameToldIn } from './grammar.ts';
import type { Interpreter, Language, RuleStatement } from './language.ts';
import type { StatementCandidate } from './select.ts';
import { languageOfShortStatement, selfStatements } from './self-statements/self-statements.ts';

/** Texts in other languages stay in the passages alone: none of these rules reads them. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [...selfStatements, { name: 'en', open: createInterpreter }].map((language) => [language.name, language]),
);
/** A passage is much shorter. */
const LONGEST_UTTERANCE = 100_000;

const readable = (text: string): Language | undefined => {
  const detected = languageOf(text);
  const isRead = detected !== 'en' && LANGUAGES.has(detected);
  return LANGUAGES.get(isRead ? detected : (languageOfShortStatement(text, detected) ?? detected));
};

/** Stored under the tags of the document. */
interface Known {
  /** The user's. */
  readonly names: readonly string[];
  readonly memories: readonly string[];
}

/** One interpreter for each language that the document uses. */
const interpreters = (
  source: ReadSource,
  { names, memories }: Known,
): { of: (text: string) => Interpreter | null; opened: ReadonlyMap<Language, Interpreter> } => {
  const opened = new Map<Language, Interpreter>();
  const of = (text: string): Interpreter | null => {
    const language = readable(text);
    if (!language) return null;
    const interpreter = opened.get(language) ?? language.open(source, names, memories);
    opened.set(language, interpreter);
    return interpreter;
  };
  return { of, opened };
};

function* draw(sent: ReadSource, known: Known, aroundUtterances: number): Steps<StatementCandidate[]> {
  const source = asMessages(sent);
  const { of: interpreterOf, opened } = interpreters(source, known);
  const filter = filterBy(source.guidance, leftOutBy);
  // A document with the same statement is another source; a conversation may only repeat text that it was given.
  const isRepeated = repeats(source.conversation ? source.served : []);
  const isKept = (statement: RuleStatement): boolean =>
    !isRepeated(statement.said) && !filter.drops(statement.memory) && !filter.drops(statement.said);
  const around = source.around.slice(-aroundUtterances);
  const inOrder: Utterance[] = [...around, ...source.fresh].sort((a, b) => a.position - b.position);
  const fresh = new Set(source.fresh);
  const candidates: StatementCandidate[] = [];
  for (const utterance of inOrder) {
    const heard = { ...utterance, text: withoutCodeLines(cutText(utterance.text, LONGEST_UTTERANCE)) };
    const interpreter = interpreterOf(heard.text);
    if (!interpreter) yield;
    else if (!fresh.has(utterance)) yield* interpreter.hear(heard);
    else
      for (const statement of yield* interpreter.statements(heard)) {
        if (isKept(statement)) {
          const fact = grammar.factOf(statement.memory);
          candidates.push({ statement, fact, isRaised: filter.raises(statement.memory) });
        }
        yield;
      }
  }
  const withdrawn = [...opened.values()].map((interpreter) => interpreter.withdrawn);
  return candidates.filter(({ statement }) => !withdrawn.some((set) => set.has(statement)));
}

interface Drawn {
  readonly source: ReadSource;
  readonly candidates: readonly StatementCandidate[];
}

/** A text is read twice: for what it may change, and with the memories found by that. */
const drawnBefore = new WeakMap<ReadSource['fresh'], Drawn>();

const isSameSource = (one: ReadSource, other: ReadSource): boolean =>
  (Object.keys(one) as (keyof ReadSource)[]).every((key) => one[key] === other[key]);

export function* candidatesIn(
  source: ReadSource,
  memories: readonly string[],
  aroundUtterances: number,
): Steps<readonly StatementCandidate[]> {
  const names = memories.flatMap((memory) => nameToldIn(memory) ?? []);
  const denies = memories.length > 0 && source.fresh.some(({ text }) => mayDeny(text));
  const isAlone = names.length === 0 && !denies;
  const before = drawnBefore.get(source.fresh);
  if (before && isAlone && isSameSource(before.source, source)) return before.candidates;
  const candidates = yield* draw(source, { names, memories: denies ? memories : [] }, aroundUtterances);
  if (isAlone) drawnBefore.set(source.fresh, { source, candidates });
  return candidates;
}

/** Without the statements about somebody by a name alone that no stored memory gives to somebody of the user. */
export const ofKnownBearers = (
  candidates: readonly StatementCandidate[],
  memories: readonly string[],
): readonly StatementCandidate[] => {
  if (candidates.every(({ statement }) => statement.bearer === undefined)) return candidates;
  const named = new Set(memories.flatMap((memory) => grammar.aliasesOf(memory).map(([name]) => name)));
  return candidates.filter(
    ({ statement: { bearer } }) => bearer === undefined || named.has(bearer.toLowerCase()),
  );
};
