// The basic field types of all operations, with the alternative forms that callers may send.
import { z } from 'zod';

/** No control characters and no half of a surrogate pair: two different texts must never be stored as one. */
export const clean = /^[^\p{Cc}\p{Cs}]*$/u;

/** True if something is left of the text without its control characters, which are not stored. */
export const holdsText = (text: string): boolean => /[^\s\p{Cc}]/u.test(text);

export const singleLine = (min: number, max: number) =>
  z.string().min(min).max(max).regex(clean, { error: 'must not contain control characters' });

/** A boolean, or "true" and "false": queries and several clients send text. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true');

/** A whole number, or its digits as text: list bodies and queries contain both. */
export const wholeNumberField = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const inRange = z.int({ error }).min(min, { error }).max(max, { error });
  const digits = z.string().regex(/^\d{1,9}$/, { error });
  return z.union([inRange, digits], { error }).transform(Number).pipe(inRange);
};

/** A number from 0 to 1. */
export const fraction = z.number().min(0).max(1);

/** Times in answers are ISO-8601 in UTC. */
export const time = z.iso.datetime();

const ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

/** A time without a zone is UTC, independent of the server's zone; a date is the start of its day. */
const toMoment = (text: string): number =>
  Date.parse(text.includes('T') && !ZONE.test(text) ? `${text}Z` : text);

const DAY_MS = 86_400_000;

/** Times in answers have a year of four digits. With an offset, such a year may be another one in UTC. */
const hasYearOfFourDigits = (text: string): boolean => {
  const year = new Date(toMoment(text)).getUTCFullYear();
  return year >= 0 && year <= 9999;
};

/** A time in a request, as it was written. */
export const instantText = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: 'must be an ISO-8601 date or date and time',
  })
  .refine(hasYearOfFourDigits, { error: 'must be in the years 0 to 9999 in UTC' });

/** A time in a request, converted to milliseconds. */
export const instant = instantText.transform(toMoment);

/** The end of something, converted to milliseconds: what lasts until a date lasts until the end of that day. */
export const lastInstant = instantText.transform(
  (text) => toMoment(text) + (text.includes('T') ? 0 : DAY_MS),
);

export const jsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text in an answer, or null. */
export const nullableText = (sentence: string) => z.string().nullable().describe(sentence);
