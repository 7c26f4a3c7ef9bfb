// Finds what JSON.parse changes without notice: rounded integers, and keys that an object cannot take over.
type Path = (string | number)[];

/** A lost value and its place. */
export interface JsonLoss {
  readonly path: Readonly<Path>;
  readonly message: string;
}

/** Longer integers cost too much to compare, and hardly any of them is kept as it is. */
const LONGEST_COMPARED = 40;

const rounded = (source: string): string => {
  const shown = source.length > LONGEST_COMPARED ? `${source.slice(0, LONGEST_COMPARED)}…` : source;
  return `must be an integer between -9007199254740991 and 9007199254740991; ${shown} would be rounded, so send it as text`;
};

const FORBIDDEN_KEY = 'is a key that is not allowed; choose another name';

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The marks after which JSON has a number: white space, a comma, a colon and an opening bracket. */
const BEFORE_NUMBER = new Set([...' \t\r\n,:['].map((mark) => mark.charCodeAt(0)));

/** The shortest integer that may be rounded. */
const LONG = 16;

/** Looks at every sixteenth character: sixteen digits in a row cover one of them. */
const hasLongNumber = (text: string): boolean => {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let from = at;
    while (isDigit(text.charCodeAt(from - 1))) from -= 1;
    while (isDigit(text.charCodeAt(at + 1))) at += 1;
    const before = text.charCodeAt(text[from - 1] === '-' ? from - 2 : from - 1);
    if (at - from + 1 >= LONG && BEFORE_NUMBER.has(before)) return true;
  }
  return false;
};

/** Looks at the text alone: most texts have none of these marks and are not read a second time. */
const mayLose = (text: string): boolean =>
  text.includes('__proto__') ||
  hasLongNumber(text) ||
  (text.includes('\\u00') && /\\u00(?:5f|6f|7[024])/i.test(text));

const isRounded = (source: string): boolean => {
  if (source.length < LONG || !/^-?\d+$/.test(source)) return false;
  return source.length > LONGEST_COMPARED || BigInt(source) !== BigInt(Number(source));
};

/** The text of a string in JSON, with its quotes. */
const unescapedText = (raw: string): string =>
  raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1);

const isEscaped = (text: string, quote: number): boolean => {
  let slashes = 0;
  while (text[quote - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
};

/** The place after the string that begins here. */
const endOfString = (text: string, from: number): number => {
  let quote = text.indexOf('"', from + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
};

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, MINUS] = [
  34, 44, 91, 93, 123, 125, 45,
];

/** Digits, signs, the point and the letter of an exponent. */
const NUMBER_MARKS = new Set([...'0123456789+-.eE'].map((mark) => mark.charCodeAt(0)));

/** The place after the number that begins here. */
const endOfNumber = (text: string, from: number): number => {
  let at = from + 1;
  while (NUMBER_MARKS.has(text.charCodeAt(at))) at += 1;
  return at;
};

/** An object or a list whose end is not reached. */
interface Level {
  /** The number of the member in a list; null in an object. */
  index: number | null;
  /** The key of the member as it is written; null until the key comes. */
  key: string | null;
}

const pathOf = (levels: readonly Level[]): Path =>
  levels.map(({ index, key }) => index ?? unescapedText(key ?? '""'));

const nextMember = (level: Level | undefined): void => {
  if (level === undefined) return;
  if (level.index === null) level.key = null;
  else level.index += 1;
};

/**
 * Walks over a text that is valid JSON. A walk needs no second parse and no recursion, so that a large or deep text of
 * a caller costs no more than its parse.
 */
const findFirstLoss = (text: string): JsonLoss | null => {
  const levels: Level[] = [];
  let at = 0;
  while (at < text.length) {
    const mark = text.charCodeAt(at);
    const level = levels.at(-1);
    if (mark === QUOTE) {
      const end = endOfString(text, at);
      if (level?.index === null && level.key === null) {
        level.key = text.slice(at, end);
        if (unescapedText(level.key) === '__proto__') return { path: pathOf(levels), message: FORBIDDEN_KEY };
      }
      at = end;
    } else if (isDigit(mark) || mark === MINUS) {
      const end = endOfNumber(text, at);
      const source = end - at < LONG ? '' : text.slice(at, end);
      if (isRounded(source)) return { path: pathOf(levels), message: rounded(source) };
      at = end;
    } else {
      if (mark === OPEN_OBJECT) levels.push({ index: null, key: null });
      else if (mark === OPEN_LIST) levels.push({ index: 0, key: null });
      else if (mark === CLOSE_OBJECT || mark === CLOSE_LIST) levels.pop();
      else if (mark === COMMA) nextMember(level);
      at += 1;
    }
  }
  return null;
};

/** For objects that did not come from JSON, such as the parts of a form. */
export const lossOfKeys = (value: object): JsonLoss | null =>
  Object.hasOwn(value, '__proto__') ? { path: ['__proto__'], message: FORBIDDEN_KEY } : null;

/** Null: the parsed value says exactly what the text says. The text must be valid JSON. */
export const lossOfJson = (text: string): JsonLoss | null => (mayLose(text) ? findFirstLoss(text) : null);
