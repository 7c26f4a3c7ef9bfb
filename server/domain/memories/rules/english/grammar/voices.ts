// The speakers and listeners of a document.
import type { ReadSource, Utterance } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import { expand } from './contractions.ts';
import { UNNAMED, type Voice } from './person.ts';
import { createTyping } from './typing.ts';
import { verbTokensOf } from './verbs.ts';
import { capitalised } from './words.ts';

const ASSISTANT = 'the assistant';
const AUTHOR = 'the author';
/** A longer document is more likely an article than the user's own note. */
const LONGEST_NOTE = 4_000;

export interface Voices {
  of(utterance: Utterance): Voice;
  /** Called when the user gives a name. */
  named(name: string): void;
  isOneOfThem(name: string): boolean;
  /** The sentence in full words, without forms of address: "Yeah Mel, …", "…, Caroline!". */
  heard(sentence: string): string;
}

const CALL_BEFORE = /^(?<lead>(?:[\p{L}']+ ){0,3}?)(?<name>\p{Lu}\p{Ll}+)\s?[,!:.–—-]+\s+/u;
/** "Wow, Mel, I moved": a cry before the name. */
const CRY_BEFORE = /^(?<lead>\p{L}+[,!] )(?<name>\p{Lu}\p{Ll}+),\s+/u;
const CALL_BEHIND = /,? (\p{Lu}\p{Ll}+)([.!?…]*)$/u;

/** "It is with Mel", "I met Mel", "bins: Mel": the name belongs to the word before it. */
const isObject = (before: string): boolean =>
  /[:=&]$/.test(before) || /^(?:ADP|AUX|VERB|CCONJ|DET|PART)$/.test(verbTokensOf(before).at(-1)?.pos ?? '');

const cleanName = (name: string): string =>
  capitalised(
    name
      .replace(/[^\p{L}\p{N}'’.\- ]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

export const createVoices = (source: ReadSource): Voices => {
  const everything = [...source.around, ...source.fresh];
  const speakers = new Set(
    everything.flatMap(({ speaker }) => (speaker === null ? [] : [cleanName(speaker)])),
  );
  const length = everything.reduce((sum, { text }) => sum + text.length, 0);
  const nobody = source.conversation || length <= LONGEST_NOTE ? UNNAMED : AUTHOR;
  const isRoleChat = everything.some(({ role }) => role === 'assistant');
  let userName: string | null = null;

  const listenerFor = (name: string): string | null => {
    const others = [...speakers].filter((other) => other !== name);
    const [only] = others;
    if (others.length === 1 && only !== undefined) return only;
    return isRoleChat ? ASSISTANT : null;
  };

  /** People often shorten names to their beginning. */
  const isCall = (word: string): boolean =>
    [...speakers].some((name) => name === word || (word.length >= 3 && name.startsWith(word)));

  const withoutCall = (all: string, lead: string, name: string): string => (isCall(name) ? `${lead}, ` : all);

  const withoutCallBehind = (sentence: string): string => {
    const [call = '', name = '', end = ''] = CALL_BEHIND.exec(sentence) ?? [];
    const before = sentence.slice(0, sentence.length - call.length);
    return isCall(name) && (call.startsWith(',') || !isObject(before)) ? before + end : sentence;
  };

  const typing = createTyping([...speakers]);

  return {
    heard: (sentence) =>
      withoutCallBehind(expand(typing.written(sentence)))
        .replace(CALL_BEFORE, withoutCall)
        .replace(CRY_BEFORE, withoutCall)
        .replace(/^[\s,]+/, ''),
    of: ({ role, speaker }) => {
      const named = speaker === null ? '' : cleanName(speaker);
      const name =
        role === 'assistant' ? ASSISTANT : named || (nobody === UNNAMED ? (userName ?? UNNAMED) : nobody);
      if (role === 'assistant') return { name, listener: userName ?? UNNAMED };
      return { name, listener: source.conversation ? listenerFor(named || name) : null };
    },
    named: (name) => {
      userName ??= name;
    },
    isOneOfThem: (name) =>
      speakers.has(name) || name === userName || /^the (?:user|assistant|author)$/i.test(name),
  };
};
