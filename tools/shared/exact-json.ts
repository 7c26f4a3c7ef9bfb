// Finds what JSON.parse changes without notice: rounded integers, and keys that an object cannot take over.
type Path = (string | number)[];

/** What is lost, and where. */
export interface JsonLoss {
  readonly path: Readonly<Path>;
  readonly message: string;
}

const ROUNDED = (source: string): string =>
  `must be an integer between -9007199254740991 and 9007199254740991; ${source} would be rounded, so send it as text`;

const FORBIDDEN_KEY = 'is a key that is not allowed; choose another name';

/** Looks at the text alone: most texts have none of these marks and are not parsed a second time. */
const mayLose = (text: string): boolean =>
  text.includes('__proto__') || /[[:,\s]-?\d{16}/.test(text) || /\\u00(?:5f|6f|7[024])/i.test(text);

const lossOfMember = (key: string, value: unknown, source: string | undefined): string | null => {
  if (key === '__proto__') return FORBIDDEN_KEY;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return null;
  return /^-?\d+$/.test(source) && BigInt(source) !== BigInt(value) ? ROUNDED(source) : null;
};

/** For objects that did not come from JSON, such as the parts of a form. */
export const lossOfKeys = (value: object): JsonLoss | null =>
  Object.hasOwn(value, '__proto__') ? { path: ['__proto__'], message: FORBIDDEN_KEY } : null;

/** Null: the parsed value says exactly what the text says. The text must be valid JSON. */
export const lossOfJson = (text: string): JsonLoss | null => {
  if (!mayLose(text)) return null;
  let message: string | null = null;
  const path: Path = [];
  /** The object or list that holds the last part of the path. It is visited after its members. */
  let holder: unknown;
  JSON.parse(text, function visit(this: unknown, key: string, value: unknown, found?: { source?: string }) {
    if (message === null) message = lossOfMember(key, value, found?.source);
    else if (value !== holder) return value;
    if (message === null) return value;
    path.unshift(Array.isArray(this) ? Number(key) : key);
    holder = this;
    return value;
  });
  // The first part belongs to the whole value, which has no name.
  return message === null ? null : { path: path.slice(1), message };
};
