// Straightens a page that lies askew in a scanner: its lines of print become level.
import type { GreyPicture } from './grey-picture.ts';

/** Degrees, clockwise. */
const MOST_SKEW = 7;
const COARSE = 0.5;
const FINE = 0.1;
/** Every so many-th pixel in both directions is looked at: lines of print are much higher. */
const STEP = 3;
/** Ink is darker than the mean of the page by this many steps of grey. */
const DARKER = 24;

interface Ink {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

const meanOfPixels = ({ pixels }: GreyPicture): number => {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < pixels.length; at += STEP ** 2, count++) sum += pixels[at] ?? 0;
  return count === 0 ? 0 : sum / count;
};

const inkOf = (picture: GreyPicture): Ink => {
  const { width, height, pixels } = picture;
  const darkest = meanOfPixels(picture) - DARKER;
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y < height; y += STEP)
    for (let x = 0; x < width; x += STEP)
      if ((pixels[y * width + x] ?? 0) < darkest) {
        xs.push(x);
        ys.push(y);
      }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys) };
};

const slopeOf = (degrees: number): number => Math.tan((degrees * Math.PI) / 180);

/** The more the ink stands in few rows, the larger: the rows between the lines are empty where they are level. */
const levelness = ({ xs, ys }: Ink, { width, height }: GreyPicture, degrees: number): number => {
  const slope = slopeOf(degrees);
  const margin = Math.ceil(width * Math.abs(slope));
  const rows = new Float64Array(Math.ceil((height + 2 * margin) / STEP) + 1);
  for (let at = 0; at < xs.length; at++) {
    const row = Math.floor(((ys[at] ?? 0) - (xs[at] ?? 0) * slope + margin) / STEP);
    rows[row] = (rows[row] ?? 0) + 1;
  }
  return rows.reduce((sum, count) => sum + count * count, 0);
};

/** Of the angles from `middle - reach` to `middle + reach`, and of none at all. */
const mostLevel = (
  picture: GreyPicture,
  ink: Ink,
  { middle, reach, step }: { middle: number; reach: number; step: number },
): number => {
  let best = { degrees: 0, level: levelness(ink, picture, 0) };
  for (let degrees = middle - reach; degrees <= middle + reach + step / 2; degrees += step) {
    const level = levelness(ink, picture, degrees);
    if (level > best.level) best = { degrees, level };
  }
  return best.degrees;
};

/** The degrees by which the lines of print are turned, clockwise; 0 for an empty page. */
export const skewOf = (picture: GreyPicture): number => {
  const ink = inkOf(picture);
  const near = mostLevel(picture, ink, { middle: 0, reach: MOST_SKEW, step: COARSE });
  return near === 0 ? 0 : mostLevel(picture, ink, { middle: near, reach: COARSE, step: FINE });
};

/** Moves each column up or down, which is enough for so small an angle. What comes in from outside is white. */
export const levelled = ({ width, height, pixels }: GreyPicture, degrees: number): GreyPicture => {
  const slope = slopeOf(degrees);
  const moved = Buffer.alloc(width * height, 255);
  for (let x = 0; x < width; x++) {
    const by = Math.round((x - width / 2) * slope);
    const first = Math.max(0, -by);
    const last = Math.min(height, height - by);
    for (let y = first; y < last; y++) moved[y * width + x] = pixels[(y + by) * width + x] ?? 255;
  }
  return { width, height, pixels: moved };
};
