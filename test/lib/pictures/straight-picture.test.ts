// Tests of straightening scanned pages: stripes that stand for lines of print.
import { describe, expect, it } from 'vitest';
import type { GreyPicture } from '../../../server/lib/pictures/grey-picture.ts';
import { levelled, skewOf } from '../../../server/lib/pictures/straight-picture.ts';

const WIDTH = 600;
const HEIGHT = 800;
const LINE = 24;

/** Stripes of broken ink, turned clockwise, on paper of this grey. */
const striped = (degrees: number, paper = 255, ink = 0): GreyPicture => {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const pixels = Buffer.alloc(WIDTH * HEIGHT, paper);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 40; x < WIDTH - 40; x++) {
      const line = (((y - x * slope) % LINE) + LINE) % LINE;
      if (line < 8 && (x * 7 + Math.floor(y / LINE)) % 5 !== 0) pixels[y * WIDTH + x] = ink;
    }
  return { width: WIDTH, height: HEIGHT, pixels };
};

describe('the skew of a page', () => {
  it.each([-5, -2.3, 0.8, 4.1])('of %s degrees is measured', (degrees) => {
    expect(skewOf(striped(degrees))).toBeCloseTo(degrees, 0);
    expect(Math.abs(skewOf(striped(degrees)) - degrees)).toBeLessThan(0.3);
  });

  it('is measured of faded print too', () => {
    expect(Math.abs(skewOf(striped(4.1, 225, 135)) - 4.1)).toBeLessThan(0.3);
  });

  it('is nothing for a straight page and for an empty one', () => {
    expect(skewOf(striped(0))).toBe(0);
    expect(skewOf({ width: 50, height: 50, pixels: Buffer.alloc(2500, 255) })).toBe(0);
    expect(skewOf({ width: 0, height: 0, pixels: Buffer.alloc(0) })).toBe(0);
  });
});

it('a levelled page has the same size and level lines', () => {
  const page = levelled(striped(4.1), 4.1);
  expect([page.width, page.height, page.pixels.length]).toEqual([WIDTH, HEIGHT, WIDTH * HEIGHT]);
  expect(Math.abs(skewOf(page))).toBeLessThan(0.3);
});
