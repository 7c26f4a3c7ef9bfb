// Tests of the order in which two statements were said.
import { describe, expect, it } from 'vitest';
import { dateAgainst, type SpokenTime, wasSaidBefore } from '../../../server/core/statements/spoken-time.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0);
const year = (number: number): number => Date.UTC(number, 0);
const said = (saidAt: number | null, heardAt = NOW): SpokenTime => ({ saidAt, heardAt });

/** Returns the one of two statements that was said first. */
const first = (one: SpokenTime, other: SpokenTime): SpokenTime | null =>
  wasSaidBefore(one, other) ? one : wasSaidBefore(other, one) ? other : null;

describe('order of two statements', () => {
  it('the later date decides, whichever arrived first', () => {
    const [early, late] = [said(year(2021), NOW + HOUR), said(year(2023))];
    expect(first(early, late)).toBe(early);
    expect(first(late, early)).toBe(early);
  });

  it('the first to arrive was said first when only one or none has a date', () => {
    for (const date of [year(2023), null]) {
      const [early, late] = [said(date), said(date, NOW + 1)];
      expect(first(late, early)).toBe(early);
    }
    expect(first(said(null), said(null))).toBeNull();
  });

  it('arrival decides between a dated and an undated statement that arrived together', () => {
    const [undated, dated] = [said(null), said(year(2023), NOW + HOUR)];
    expect(first(dated, undated)).toBe(undated);
    const [datedFirst, undatedLater] = [said(year(2023)), said(null, NOW + 1)];
    expect(first(undatedLater, datedFirst)).toBe(datedFirst);
  });

  it('an undated statement counts as said at its arrival when the two arrived apart', () => {
    const [undated, dated] = [said(null), said(year(2023), NOW + 2 * HOUR)];
    expect(first(undated, dated)).toBe(dated);
    const ahead = said(year(2027), NOW + 2 * HOUR);
    expect(first(ahead, undated)).toBe(undated);
  });
});

it('a new statement is compared with the date of the old one, or with its arrival if that is long ago', () => {
  expect(dateAgainst(said(year(2021)), NOW)).toBe(year(2021));
  expect(dateAgainst(said(null), NOW + HOUR)).toBeNull();
  expect(dateAgainst(said(null), NOW + 2 * HOUR)).toBe(NOW);
});
