// Finds the title in a text.
import { cutText } from '../../../lib/text/cut.ts';

const HEAD = 8_192;
const LONGEST = 200;

/** The title of the front matter, or the first heading. */
export const titleOfMarkdown = (text: string): string | undefined => {
  const head = text.slice(0, HEAD);
  const front = /^---\n([\s\S]{0,4000}?)\n---(?:\n|$)/.exec(head)?.[1];
  const named =
    front === undefined ? undefined : /^title:[ \t]{0,10}["']?(.{1,200}?)["']?[ \t]{0,10}$/m.exec(front)?.[1];
  if (named !== undefined) return named;
  const heading = /^ {0,3}#{1,6} {1,10}(\S.{0,400})$/m.exec(outsideFences(head))?.[1];
  return heading === undefined ? undefined : cleanHeading(heading);
};

const outsideFences = (text: string): string =>
  text.includes('```') ? text.replace(/^ {0,3}```[\s\S]{0,8192}?(?:^ {0,3}```|$(?![\s\S]))/gm, '') : text;

/** Removes closing hashes, emphasis and link addresses. */
export const cleanHeading = (heading: string): string => {
  const plain = heading
    .replace(/\]\([^)\s]{0,500}\)/g, ']')
    .replace(/[[\]*`]/g, '')
    .replace(/ {1,40}#{1,40} {0,40}$/, '')
    .trim();
  return cutText(plain, LONGEST);
};

/** A first line that a blank line separates from a longer text. */
export const titleOfText = (text: string): string | undefined => {
  const feed = text.slice(0, LONGEST + 1).indexOf('\n');
  if (feed < 0 || text[feed + 1] !== '\n' || text.length < feed * 2) return undefined;
  return titleOfLine(text.slice(0, feed));
};

/** True if a line can be a title: a salutation ends in a comma, a list head in a colon, code begins with a small letter. */
export const titleOfLine = (line: string): string | undefined => {
  const title = line.trim();
  return title.length < 3 || title.length > LONGEST || /[,;:]$|^[-*+>|{}[\]<]|^\p{Ll}/u.test(title)
    ? undefined
    : title;
};
