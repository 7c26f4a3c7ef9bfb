// Tests of sentences that share the words of their text.
import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../../../server/lib/text/outline/outline-text.ts';
import { readSentences } from '../../../../server/lib/text/outline/read-sentences.ts';
import { wordsOfText } from '../../../../server/lib/text/terms/analyse.ts';

const wordsOf = (text: string): string[] => wordsOfText(text).map((word) => word.text);

const PROSE = "Mara's café opens at 9. The O'Briens came’s and left! It rained, didn't it?";

describe('the sentences of a text', () => {
  it.each([
    ['prose', PROSE],
    ['prose of plain letters', PROSE.replace('é', 'e')],
    ['items of a list', '- Buy the milk.\n- Call Ana, **today**.\n\nThen go home.'],
    ['a link and a heading', '# Plan\n\nSee [the map](https://example.com/x). It is new.'],
    ['a run that is cut in a word', `${'a'.repeat(599)}bcd'ef ${'x'.repeat(700)}. The end.`],
    ['a mark that is left out', 'One _two_ three. Four `five` six.'],
    ['other scripts', '猫が好きです。犬も好きです。 Он живёт в Москве. Ja.'],
    ['the same sentence twice', 'Go on. Go on. Go on, then.'],
  ])('have the words that each has alone: %s', (_name, text) => {
    const sentences = sentencesOf(text);
    expect(sentences.length).toBeGreaterThan(1);
    const read = readSentences(text, sentences);
    expect(read.map((sentence) => sentence.text)).toEqual(sentences);
    expect(read.map((sentence) => sentence.words().map((word) => word.text))).toEqual(sentences.map(wordsOf));
  });
});
