// What was said before what.
import { describe, expect, it } from 'vitest';
import { dateAgainst, type Said, wasSaidBefore } from '../../server/lib/said.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0);
const year = (number: number): number => Date.UTC(number, 0);
const said = (saidAt: number | null, heardAt = NOW): Said => ({ saidAt, heardAt });

/** Of two, the one that was said first. */
const first = (one: Said, other: Said): Said | null =>
  wasSaidBefore(one, other) ? one : wasSaidBefore(other, one) ? other : null;

describe('of two statements', () => {
  it('the date decides, whatever arrived first', () => {
    const [early, late] = [said(year(2021), NOW + HOUR), said(year(2023))];
    expect(first(early, late)).toBe(early);
    expect(first(late, early)).toBe(early);
  });

  it('with one date, or none, the first to arrive was said first', () => {
    for (const date of [year(2023), null]) {
      const [early, late] = [said(date), said(date, NOW + 1)];
      expect(first(late, early)).toBe(early);
    }
    expect(first(said(null), said(null))).toBeNull();
  });

  it('that arrive together, arrival decides between the dated and the undated', () => {
    const [undated, dated] = [said(null), said(year(2023), NOW + HOUR)];
    expect(first(dated, undated)).toBe(undated);
    const [datedFirst, undatedLater] = [said(year(2023)), said(null, NOW + 1)];
    expect(first(undatedLater, datedFirst)).toBe(datedFirst);
  });

  it('that arrive apart, the undated was said when it arrived', () => {
    const [undated, dated] = [said(null), said(year(2023), NOW + 2 * HOUR)];
    expect(first(undated, dated)).toBe(dated);
    const ahead = said(year(2027), NOW + 2 * HOUR);
    expect(first(ahead, undated)).toBe(undated);
  });
});

it('the date that counts against something new is its own, or that of its arrival where this was long ago', () => {
  expect(dateAgainst(said(year(2021)), NOW)).toBe(year(2021));
  expect(dateAgainst(said(null), NOW + HOUR)).toBeNull();
  expect(dateAgainst(said(null), NOW + 2 * HOUR)).toBe(NOW);
});
