/** Few texts hold anything but single blanks between words, and to look for it takes a fraction of replacing. */
const WIDE_SPACE = /[^\S ]|\s\s/;

/** Every run of white space becomes one blank; none stays at the ends. */
export const singleSpaced = (text: string): string =>
  (WIDE_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
