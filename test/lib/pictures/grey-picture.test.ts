import { expect, test } from 'vitest';
import { type GreyPicture, isBlank, turnPicture } from '../../../server/lib/pictures/grey-picture.ts';

const paper = (noise: (at: number) => number): GreyPicture => {
  const pixels = Buffer.from(Array.from({ length: 64 * 64 }, (_, at) => 230 + noise(at)));
  return { width: 64, height: 64, pixels };
};

test('paper is blank, with noise and with a speck', () => {
  expect(isBlank(paper(() => 0))).toBe(true);
  expect(isBlank(paper((at) => ((at * 7919) % 13) - 6))).toBe(true);
  expect(isBlank(paper((at) => (at === 2_000 ? -100 : 0)))).toBe(true);
});

test('paper with a faint stroke is not blank', () => {
  expect(isBlank(paper((at) => (Math.floor(at / 64) === 30 && at % 64 < 20 ? -80 : 0)))).toBe(false);
});

test('a picture is turned clockwise', () => {
  const picture = { width: 3, height: 2, pixels: Buffer.from([1, 2, 3, 4, 5, 6]) };
  expect(turnPicture(picture, 1)).toEqual({ width: 2, height: 3, pixels: Buffer.from([4, 1, 5, 2, 6, 3]) });
  expect(turnPicture(picture, 2).pixels).toEqual(Buffer.from([6, 5, 4, 3, 2, 1]));
  expect(turnPicture(picture, 0)).toBe(picture);
});
