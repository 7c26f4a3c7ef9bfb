// The words of a page as the program lists them: a row each, with its block, paragraph and line, and its confidence.
import type { RecognisedText } from '../protocol.ts';

const WORD_LEVEL = '5';

/** Words on a line are joined by a space, lines by a line end, and paragraphs by an empty line. */
export const readWordTable = (table: string): RecognisedText => {
  const [heading = '', ...rows] = table.split(/\r?\n/);
  if (!heading.startsWith('level\t')) throw new Error('It wrote no table of words.');
  let text = '';
  let line = '';
  let paragraph = '';
  let sum = 0;
  let words = 0;
  for (const row of rows) {
    const [level, , block, part, lineNumber, , , , , , confidence = '', ...rest] = row.split('\t');
    const word = rest.join(' ');
    if (level !== WORD_LEVEL || word.trim() === '') continue;
    const [itsParagraph, itsLine] = [`${block}/${part}`, `${block}/${part}/${lineNumber}`];
    if (text !== '') text += itsParagraph !== paragraph ? '\n\n' : itsLine !== line ? '\n' : ' ';
    text += word;
    paragraph = itsParagraph;
    line = itsLine;
    sum += Number(confidence);
    words++;
  }
  return { text, confidence: words === 0 ? 0 : sum / words };
};
