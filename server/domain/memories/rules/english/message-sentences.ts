// The sentences of a message, with what its shape says written out: the days of a journal, the names in the frame of a mail.
import type { ReadSource, Utterance } from '../../../../adapters/language-model/ports/memory-reader.ts';
import { ENGLISH_ABBREVIATIONS } from '../../../../lib/text/sentences/sentence-marks.ts';
import { splitSentences } from '../../../../lib/text/sentences/split-sentences.ts';
import { repairParts } from './corrections/marks.ts';
import { dashParts, quickParts } from './grammar/clauses.ts';
import { type Entry, entriesOf } from './layout/journal.ts';
import { writtenOut } from './layout/layout.ts';
import { addressed, type Letter } from './layout/letter.ts';
import { requestParts } from './sentences/excluded.ts';
import { orderParts } from './sentences/instructions.ts';
import { type SpokenSentence, spokenMessage } from './spoken-sentence.ts';

type SaidPart = Pick<SpokenSentence, 'said' | 'saidAt' | 'daysFrom'>;

interface Shape {
  readonly source: ReadSource;
  /** Null for a text that is no mail. */
  readonly letter: Letter | null;
  /** True for a paper, a manual or an article. */
  readonly isReference: boolean;
  /** True for a note whose sentences may leave out their writer. */
  readonly isJournal: boolean;
}

/** "We bought a house! In Kinsale." */
const PLACE_ALONE = /^(?:in|at|near|with) (?:the )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?[.!]*$/iu;
const IS_CAPITAL = /^\p{L}+ (?:the )?\p{Lu}/u;
const LONGEST_BEFORE = 80;

/** A place that stands alone belongs to what was said before it. */
const withPlaces = (sentences: readonly string[]): string[] => {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    const isPlace = PLACE_ALONE.test(sentence) && IS_CAPITAL.test(sentence);
    if (isPlace && before !== undefined && /^[^?:]*[.!]+$/.test(before) && before.length <= LONGEST_BEFORE) {
      const place = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
      joined[joined.length - 1] = `${before.replace(/[.!]+$/, '')} ${place}`;
    } else joined.push(sentence);
  }
  return joined;
};

export const spokenSentences = (utterance: Utterance, shape: Shape): SaidPart[] => {
  const { source, letter, isReference, isJournal } = shape;
  const message = spokenMessage(utterance);
  const text = letter ? letter.bodyOf(message) : message;
  const saidAt = utterance.date ?? source.documentDate;
  const daysFrom = saidAt ?? utterance.heardAt ?? null;
  const entries: Entry[] = isJournal ? entriesOf(text, daysFrom) : [{ text, day: null }];
  return entries.flatMap((entry) => {
    const isPlain = utterance.role === 'assistant' || isReference;
    const written = isPlain ? entry.text : writtenOut(entry.text);
    const sentences = splitSentences(written, ENGLISH_ABBREVIATIONS);
    return (isPlain ? sentences : withPlaces(sentences))
      .flatMap(quickParts)
      .flatMap(dashParts)
      .flatMap(repairParts)
      .flatMap((part) => orderParts(part).flatMap(requestParts))
      .map((said) => ({
        said: letter ? addressed(said, letter) : said,
        saidAt: entry.day ?? saidAt,
        daysFrom: entry.day ?? daysFrom,
      }));
  });
};
