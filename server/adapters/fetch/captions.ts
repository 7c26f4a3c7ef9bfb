// Captions as the video site sends them, made harmless for the library that reads them.

/** In milliseconds; the older form counts in seconds. */
const NEWER = /<p\s+t="\d+"\s+d="\d+"/;

export const inMilliseconds = (xml: string): boolean => NEWER.test(xml);

/** The library looks for the end of each passage to the end of the text: one without an end costs all of it, each time. */
const withoutOpenEnds = (xml: string): string => {
  const last = xml.lastIndexOf('</p>');
  const pieces = last === -1 ? [] : xml.slice(0, last).split('</p>');
  const ends = pieces.every((piece) => piece.split(/<p\s/, 3).length <= 2);
  return NEWER.test(xml) ? (ends ? xml.slice(0, last + '</p>'.length) : '') : xml;
};

/** A mark that is never closed, or only far away, is searched for its end as well. */
const withoutOpenMarks = (xml: string): string => xml.replace(/<(?![^<>]{1,300}>)/g, '');

const LAST_CHARACTER = 0x10ffff;

const characterOr = (reference: string, digits: string): string => {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return code <= LAST_CHARACTER ? reference : '\ufffd';
};

/** The library throws at a number that is no character. */
const withoutFalseCharacters = (xml: string): string =>
  xml.replace(/&#(x[0-9a-f]{1,12}|\d{1,12});/gi, characterOr);

export const tamed = (xml: string): string => withoutFalseCharacters(withoutOpenEnds(withoutOpenMarks(xml)));
