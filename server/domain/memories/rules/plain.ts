// The fallback for languages without rules: sentences are kept unchanged, with their speaker.
import type { ReadSource, Utterance } from '../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../lib/async/steps.ts';
import { CLOSERS } from '../../../lib/text/sentences/sentence-marks.ts';
import { splitSentences } from '../../../lib/text/sentences/split-sentences.ts';
import type { Interpreter, Language, RuleStatement } from './language.ts';

const QUESTION = new RegExp(`[?？؟;][${CLOSERS}]*$`, 'u');
/** Scripts without blanks between words. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/g;
const FEWEST_WORDS = 4;
const FEWEST_SIGNS = 6;
const NONE: ReadonlySet<string> = new Set();

const saysEnough = (sentence: string): boolean =>
  (sentence.match(UNSPACED)?.length ?? 0) >= FEWEST_SIGNS || sentence.split(/\s+/).length >= FEWEST_WORDS;

const open = (source: ReadSource): Interpreter => {
  function* statements(utterance: Utterance): Steps<RuleStatement[]> {
    yield;
    if (utterance.role === 'assistant' || utterance.role === 'system' || utterance.role === 'tool') return [];
    return splitSentences(utterance.text, NONE)
      .filter((sentence) => !QUESTION.test(sentence) && saysEnough(sentence))
      .map((said) => ({
        memory: utterance.speaker === null ? said : `${utterance.speaker}: ${said}`,
        said,
        position: utterance.position,
        saidAt: utterance.date ?? source.documentDate,
        eventDates: [],
        forgetAfter: null,
      }));
  }
  return { *hear() {}, statements };
};

export const plain: Language = {
  name: 'plain',
  recognises: () => 0.3,
  open,
  factOf: () => null,
  aliasesOf: () => [],
  leftOutBy: () => [],
  alwaysWanted: [],
};
