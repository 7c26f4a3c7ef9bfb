// Sentences with their words. Those of prose stand in its text as they are, one behind the other, so its words are read once
// for all of them.
import { once } from '../../once.ts';
import { type PlacedWords, type Word, wordsOfText } from '../terms/analyse.ts';
import { passageWords } from '../terms/passage-words.ts';

export interface ReadSentence {
  readonly text: string;
  readonly words: () => readonly Word[];
}

export const readSentence = (text: string): ReadSentence => ({ text, words: once(() => wordsOfText(text)) });

/** The number of places before this one. */
const countBefore = (starts: readonly number[], place: number): number => {
  let from = 0;
  let to = starts.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((starts[middle] as number) < place) from = middle + 1;
    else to = middle;
  }
  return from;
};

/** Null: their places are unknown, or a word stands across an end of the range. */
const wordsBetween = ({ words, starts }: PlacedWords, from: number, to: number): readonly Word[] | null => {
  if (starts === null) return null;
  const [first, behind] = [countBefore(starts, from), countBefore(starts, to)];
  const endOf = (at: number): number => (starts[at] ?? 0) + (words[at]?.text.length ?? 0);
  const isAcross = (at: number, end: number): boolean => at >= 0 && endOf(at) > end;
  return isAcross(first - 1, from) || isAcross(behind - 1, to) ? null : words.slice(first, behind);
};

const firstVisible = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
};

/** `sentences`: of the text, in order. */
export const readSentences = (text: string, sentences: readonly string[]): ReadSentence[] => {
  const whole = once(() => passageWords(text));
  let end = 0;
  return sentences.map((sentence) => {
    const from = firstVisible(text, end);
    const to = from + sentence.length;
    // V8 compares two strings many characters at once, and the beginning of one by single ones.
    if (text.slice(from, to) !== sentence) return readSentence(sentence);
    end = to;
    return {
      text: sentence,
      words: once(() => wordsBetween(whole(), from, to) ?? wordsOfText(sentence)),
    };
  });
};
