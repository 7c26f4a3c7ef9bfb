// Finds the date in the first lines of a text: "Date: 8 May 2023", "Here is the date …: 1:56 pm on 8 May, 2023", or a date alone.
import { parseDate } from './parse-date.ts';

const LINES = 8;
const HEAD = 1_000;
const LONGEST = 160;
/** A label that contains "date", its colon, and the rest of the line. */
const LABELLED = /^[^\p{L}\p{N}]{0,4}([\p{L}\p{N}_][^\n:：]{0,79})[:：]\s{0,10}(.{4,80})$/u;
const OF_A_DATE =
  /\b(?:date[ds]?|datetime|day|time|timestamp|when|session|created|created_at|created at|sent|sent at|published|started|recorded|on|fecha|datum)\b|日期|時間|时间/i;

/** Undefined if the first lines have no date, or an ambiguous one. */
export const dateAtHead = (text: string): number | undefined => {
  for (const line of text.slice(0, HEAD).split('\n', LINES)) {
    const at = dateOfLine(line.trim());
    if (at !== undefined) return at;
  }
  return undefined;
};

/** The date of a line that contains nothing else. */
export const dateOfLine = (line: string): number | undefined => {
  if (line.length > LONGEST || !/\d/.test(line)) return undefined;
  const labelled = LABELLED.exec(line);
  const label = labelled?.[1];
  const date = label !== undefined && OF_A_DATE.test(label) ? labelled?.[2] : line;
  return date === undefined ? undefined : (parseDate(withoutMarks(date)) ?? undefined);
};

/** Removes brackets, stars and hashes around the line. */
const withoutMarks = (text: string): string =>
  text.replace(/^[\s[(*_#>-]{1,8}/, '').replace(/[\s\])*_.]{1,8}$/, '');
