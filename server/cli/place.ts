// Where a passage stands in the file that it is from, in words.

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** `1:02` and `1:01:02`. */
const clock = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

const SHOWN: readonly [key: string, show: (value: unknown) => string | null][] = [
  ['page', (page) => (typeof page === 'number' ? `page ${page}` : null)],
  ['slide', (slide) => (typeof slide === 'number' ? `slide ${slide}` : null)],
  ['sheet', (sheet) => (typeof sheet === 'string' ? sheet : null)],
  ['row', (row) => (typeof row === 'number' ? `row ${row}` : null)],
  ['startTime', (seconds) => (typeof seconds === 'number' ? `at ${clock(seconds)}` : null)],
];

/** Empty for what has no such place. */
export const placesOf = (metadata: Readonly<Record<string, unknown>> | null): string[] =>
  SHOWN.flatMap(([key, show]) => show(metadata?.[key]) ?? []);
