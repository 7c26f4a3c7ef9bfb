// The terms under which a passage is found.

import { writtenDate } from '../dates/format.ts';
import { resolveRelativeDates } from '../dates/relative-dates.ts';
import { analyse, analyseCharacters, termsOfWords } from './analyse.ts';
import { passageWords } from './passage-words.ts';
import { stemsOf, stemsOfText } from './stems.ts';
import type { TermFields } from './terms.ts';

export interface PassageText {
  readonly text: string;
  readonly title?: string | undefined;
  readonly speaker?: string | undefined;
  readonly date?: number | undefined;
  /** True: the speakers of a chat stand in its text. */
  readonly isChat: boolean;
}

export const passageTerms = ({ text, title, speaker, date, isChat }: PassageText): Required<TermFields> => {
  const { words } = passageWords(text);
  return {
    body: termsOfWords(words),
    title: title === undefined ? [] : analyse(title),
    head: date === undefined ? [] : analyse(writtenDate(date)),
    speaker: speaker === undefined || isChat ? [] : analyse(speaker),
    relative: date === undefined ? [] : analyse(resolveRelativeDates(text, date)),
    characters: analyseCharacters(text),
    stems: title === undefined ? stemsOfText(text, words) : stemsOf(`${title}\n${text}`),
  };
};
