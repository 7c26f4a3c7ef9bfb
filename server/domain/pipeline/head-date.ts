// The date that a text gives itself in its first lines: "Date: 8 May 2023", "Here is the date …: 1:56 pm on 8 May, 2023", or a date alone.
import { parseDate } from '../../lib/text/dates.ts';

const LINES = 8;
const HEAD = 1_000;
const LONGEST = 160;
/** A label that speaks of a date, its colon, and the rest of the line. */
const LABELLED = /^[^\p{L}\p{N}]{0,4}([\p{L}\p{N}_][^\n:：]{0,79})[:：]\s{0,10}(.{4,80})$/u;
const OF_A_DATE =
  /\b(?:date[ds]?|datetime|day|time|timestamp|when|session|created|created_at|created at|sent|sent at|published|started|recorded|on|fecha|datum)\b|日期|時間|时间/i;

/** Undefined where the head names no date, or one that could mean several days. */
export function dateAtHead(text: string): number | undefined {
  for (const line of text.slice(0, HEAD).split('\n', LINES)) {
    const at = dateOfLine(line.trim());
    if (at !== undefined) return at;
  }
  return undefined;
}

/** The date of a line that says nothing else. */
export function dateOfLine(line: string): number | undefined {
  if (line.length > LONGEST || !/\d/.test(line)) return undefined;
  const labelled = LABELLED.exec(line);
  const label = labelled?.[1];
  const date = label !== undefined && OF_A_DATE.test(label) ? labelled?.[2] : line;
  return date === undefined ? undefined : (parseDate(bare(date)) ?? undefined);
}

/** Without the brackets, stars and hashes that set a line off. */
const bare = (text: string): string => text.replace(/^[\s[(*_#>-]{1,8}/, '').replace(/[\s\])*_.]{1,8}$/, '');
