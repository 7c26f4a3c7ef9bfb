// The mark of the features that the model of worth sees.
import { markOf, PLAIN_STATEMENTS, rounded } from '../source/feature-marks.ts';
import { sentenceOf } from './sentences.ts';

export const markOfWorth = (): string =>
  markOf(
    PLAIN_STATEMENTS.flatMap((text) =>
      sentenceOf({ group: '', text, speaker: null, isConversation: false, isYes: true }),
    ).map(({ row, words }) => [rounded(row), words]),
  );
