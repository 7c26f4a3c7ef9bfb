// Splits a finished statement into its subject and its verb; null if no rule can find them.
import { createMemo } from '../../../../../lib/memo.ts';
import { isManyNoun } from './people.ts';
import { isAuxiliary, type VerbPhrase, verbPhraseAt } from './verb-phrase.ts';
import { hasForm, type VerbToken, verbTokensOf } from './verbs.ts';
import { ADVERBS, DETERMINERS, type Token, tokensOf } from './words.ts';

export interface Clause {
  readonly subject: string;
  readonly verb: VerbPhrase;
}

const LONGEST_SUBJECT = 10;
const SUBORDINATE =
  /^(?:that|who|which|whose|whom|if|when|while|because|since|although|though|unless|whether|what|where|how|why|as|to)$/;

const isPossessive = (word: string): boolean => /['’]s?$/.test(word);

/** A noun that looks like a verb: "Anna's work", "the run". */
const isNounPlace = (before: Token | undefined): boolean =>
  before !== undefined && (DETERMINERS.has(before.lower) || isPossessive(before.word));

const isPlural = (tokens: readonly Token[], at: number): boolean => {
  const last = tokens[at - 1]?.lower ?? '';
  return (
    /^(?:i|we|you|they)$/.test(last) ||
    isManyNoun(last) ||
    /[^s'’]s$/.test(last) ||
    tokens.slice(0, at).some(({ lower }) => lower === 'and')
  );
};

const startsVerb = (text: string, tokens: readonly VerbToken[], at: number): boolean => {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (!token || isNounPlace(before)) return false;
  const isListed = text.slice(before?.end, token.start).includes(',');
  const { lower } = token;
  // "The 5th of May" ends with a month.
  const isMonth = token.word === 'May';
  if ((isAuxiliary(lower) && !isMonth) || (lower === 'used' && tokens[at + 1]?.lower === 'to')) return true;
  if (lower === 'no' && tokens[at + 1]?.lower === 'longer') return true;
  const next = tokens[at + 1]?.lower ?? '';
  if (isAuxiliary(next) && next !== 'have') return false;
  return (
    hasForm(token, 's') ||
    hasForm(token, 'past') ||
    (!isListed && isPlural(tokens, at) && hasForm(token, 'plain'))
  );
};

/** The subject ends before the verb and the adverbs in front of it. */
const subjectEnd = (tokens: readonly Token[], verb: number): number => {
  let end = verb;
  while (end > 1 && ADVERBS.has(tokens[end - 1]?.lower ?? '')) end--;
  return end;
};

/** A verb that the tagger takes for a noun in the plural: "Anna banks with N26". */
const looksLikeVerb = (tokens: readonly VerbToken[], at: number): boolean => {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (at > 2 || !token || !before || !next || !/[^s]s$/.test(token.lower) || isPossessive(before.word))
    return false;
  const isSomebody = before.lower === 'user' || before.pos === 'PROPN';
  return isSomebody && token.pos === 'NOUN' && /^(?:ADP|DET|PRON|NUM|PROPN|ADV|PART)$/.test(next.pos);
};

const clauseAt = (text: string, tokens: readonly VerbToken[], verb: number): Clause => {
  const end = subjectEnd(tokens, verb);
  return { subject: text.slice(0, tokens[end - 1]?.end), verb: verbPhraseAt(text, tokens, end) };
};

/** A heading with what it stands for: "Maintainer: Liv Torgersen" says that the maintainer is she. */
const LABEL = /^(?<label>(?:[Tt]he )?\p{L}[^:;,.?!]{1,40}): (?<value>[^:?!]+)$/u;

/** The clause of a line with a label; null if a verb stands in the label or begins the value. */
export const labelledClause = (text: string): Clause | null => {
  const { label, value } = LABEL.exec(text)?.groups ?? {};
  if (label === undefined || value === undefined) return null;
  const words = verbTokensOf(label);
  const isNoun = /^(?:NOUN|PROPN)$/.test(words.at(-1)?.pos ?? '') && words.length <= 5;
  const [first = ''] = value.split(/[,;(]/);
  const holdsVerb = verbTokensOf(first).some(({ lower, verb }) => verb !== undefined || isAuxiliary(lower));
  if (!isNoun || holdsVerb || !(/^[\p{Lu}\p{N}€$£]/u.test(value) || words.length > 1)) return null;
  const isOwned = words.some(({ word }) => isPossessive(word));
  const subject =
    isOwned || /^the /i.test(label) ? label : `the ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  const sentence = `${subject} is ${value}`;
  return clauseAt(sentence, verbTokensOf(sentence), tokensOf(subject).length);
};

const findClause = (text: string): Clause | null => {
  const labelled = labelledClause(text);
  if (labelled) return labelled;
  const tokens = verbTokensOf(text);
  let unsure = -1;
  for (let at = 1; at <= Math.min(LONGEST_SUBJECT, tokens.length - 1); at++) {
    const { lower = '' } = tokens[at] ?? {};
    if (SUBORDINATE.test(lower) && !(lower === 'to' || lower === 'as')) break;
    if (startsVerb(text, tokens, at)) return clauseAt(text, tokens, at);
    if (unsure < 0 && looksLikeVerb(tokens, at)) unsure = at;
  }
  return unsure < 0 ? null : clauseAt(text, tokens, unsure);
};

const remembered = createMemo<Clause | null>(256);

/** Remembered, because each rule asks for the clause of the same statement. */
export const clauseOf = (text: string): Clause | null => remembered(text, () => findClause(text));
