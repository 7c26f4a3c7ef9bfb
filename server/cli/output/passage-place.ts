// The position of a passage in its file, in words.

const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** `1:02` and `1:01:02`. */
const clockTime = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
};

const PLACE_FIELDS: readonly [key: string, show: (value: unknown) => string | null][] = [
  ['page', (page) => (typeof page === 'number' ? `page ${page}` : null)],
  ['slide', (slide) => (typeof slide === 'number' ? `slide ${slide}` : null)],
  ['sheet', (sheet) => (typeof sheet === 'string' ? sheet : null)],
  ['row', (row) => (typeof row === 'number' ? `row ${row}` : null)],
  ['startTime', (seconds) => (typeof seconds === 'number' ? `at ${clockTime(seconds)}` : null)],
];

/** Empty: the passage has no position. */
export const placeWords = (metadata: Readonly<Record<string, unknown>> | null): string[] =>
  PLACE_FIELDS.flatMap(([key, show]) => show(metadata?.[key]) ?? []);
