// The date and time before each message of a chat export. All of them together show if the day or the month comes first.

export interface Stamp {
  readonly length: number;
  readonly numbers: readonly [number, number, number];
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly half: boolean;
}

const STAMP =
  /^[\u200e\u200f]?\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),?[ \u202f\u00a0T]{1,3}(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[ \u202f\u00a0]?([AaPp])\.?[Mm]\.?)?\]?:?(?: {0,2}[-–] {1,2}| {1,2})/;

export const readStamp = (head: string): Stamp | null => {
  const first = head.charCodeAt(0);
  if (first !== 0x5b && first !== 0x200e && first !== 0x200f && (first < 0x30 || first > 0x39)) return null;
  const found = STAMP.exec(head);
  if (!found) return null;
  const [, a, b, c, hour, minute, second = '0', half] = found;
  const afternoon = half?.toLowerCase() === 'p';
  return {
    length: found[0].length,
    numbers: [Number(a), Number(b), Number(c)],
    hour: half === undefined ? Number(hour) : (Number(hour) % 12) + (afternoon ? 12 : 0),
    minute: Number(minute),
    second: Number(second),
    half: half !== undefined,
  };
};

type Order = 'year' | 'day' | 'month';

/** Milliseconds of each stamp. A number over 12 decides the order; without one, a.m. and p.m. suggest that the month is first. */
export const stampTimes = (stamps: readonly Stamp[]): (number | undefined)[] => {
  const order = orderOf(stamps);
  return stamps.map((stamp) => timeOf(stamp, order));
};

const orderOf = (stamps: readonly Stamp[]): Order => {
  if (stamps.some((stamp) => stamp.numbers[0] > 31)) return 'year';
  if (stamps.some((stamp) => stamp.numbers[0] > 12)) return 'day';
  if (stamps.some((stamp) => stamp.numbers[1] > 12)) return 'month';
  return stamps.some((stamp) => stamp.half) ? 'month' : 'day';
};

const timeOf = (stamp: Stamp, order: Order): number | undefined => {
  const [a, b, c] = stamp.numbers;
  const [year, month, day] = order === 'year' ? [a, b, c] : order === 'day' ? [c, b, a] : [c, a, b];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const fullYear = year < 100 ? 2000 + year : year;
  return Date.UTC(fullYear, month - 1, day, stamp.hour, stamp.minute, stamp.second);
};
