// The time that a source asks to wait: seconds or a date.

const LONGEST_MS = 24 * 60 * 60_000;

/** Null: the header says nothing. */
export const waitTold = (header: string | undefined, now: number): number | null => {
  if (header === undefined || header.trim() === '') return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), LONGEST_MS) : null;
};
