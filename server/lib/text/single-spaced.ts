/** White space other than the blank, or a character that may be. */
const MAY_BE_OTHER_SPACE = /[\t-\r\u0080-\uffff]/;
const OTHER_SPACE = /[^\S ]/;

/** Few texts hold anything but single blanks between words, and to look for it takes a fraction of replacing. */
const hasWideSpace = (text: string): boolean =>
  text.includes('  ') || (MAY_BE_OTHER_SPACE.test(text) && OTHER_SPACE.test(text));

/** Every run of white space becomes one blank; none stays at the ends. */
export const singleSpaced = (text: string): string =>
  (hasWideSpace(text) ? text.replace(/\s+/g, ' ') : text).trim();
