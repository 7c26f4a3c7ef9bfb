// Captions of the video site, repaired so that the library reads them in bounded time.

/** The newer form counts in milliseconds, the older one in seconds. */
const NEWER = /<p\s+t="\d+"\s+d="\d+"/;

export const inMilliseconds = (xml: string): boolean => NEWER.test(xml);

/** The library searches the whole rest of the text for the end of each passage, so passages without an end are removed. */
const withoutOpenEnds = (xml: string): string => {
  const last = xml.lastIndexOf('</p>');
  const pieces = last === -1 ? [] : xml.slice(0, last).split('</p>');
  const ends = pieces.every((piece) => piece.split(/<p\s/, 3).length <= 2);
  return NEWER.test(xml) ? (ends ? xml.slice(0, last + '</p>'.length) : '') : xml;
};

/** The same holds for a mark without an end nearby. */
const withoutOpenMarks = (xml: string): string => xml.replace(/<(?![^<>]{1,300}>)/g, '');

const LAST_CHARACTER = 0x10ffff;

const characterOr = (reference: string, digits: string): string => {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return code <= LAST_CHARACTER ? reference : '\ufffd';
};

/** The library throws at a number that is not a character. */
const withoutFalseCharacters = (xml: string): string =>
  xml.replace(/&#(x[0-9a-f]{1,12}|\d{1,12});/gi, characterOr);

export const repairCaptions = (xml: string): string =>
  withoutFalseCharacters(withoutOpenEnds(withoutOpenMarks(xml)));
