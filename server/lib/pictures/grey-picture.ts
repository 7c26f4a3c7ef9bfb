// A grey picture of a page, decoded: a byte for each pixel, from black to white.

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** The engine decodes it at no cost. */
export const encodePgm = ({ width, height, pixels }: GreyPicture): Buffer =>
  Buffer.concat([pgmHeader(width, height), pixels]);

export const pgmHeader = (width: number, height: number): Buffer =>
  Buffer.from(`P5\n${width} ${height}\n255\n`);

/** Squares of this side are compared by their mean, in which single specks and noise of a scanner vanish. */
const SQUARE = 4;
/** The faintest print that can be read differs from its paper by more steps of grey. */
const LEAST_CONTRAST = 12;

/** True for a page without anything on it, such as the back of a sheet: all of it has nearly the same grey. */
export const isBlank = ({ width, height, pixels }: GreyPicture): boolean => {
  let darkest = 255;
  let lightest = 0;
  for (let y = 0; y + SQUARE <= height; y += SQUARE)
    for (let x = 0; x + SQUARE <= width; x += SQUARE) {
      const mean = meanOfSquare(pixels, y * width + x, width);
      if (mean < darkest) darkest = mean;
      if (mean > lightest) lightest = mean;
      if (lightest - darkest > LEAST_CONTRAST) return false;
    }
  return lightest >= darkest;
};

const meanOfSquare = (pixels: Buffer, from: number, width: number): number => {
  let sum = 0;
  for (let row = from; row < from + SQUARE * width; row += width)
    for (let at = row; at < row + SQUARE; at++) sum += pixels[at] ?? 0;
  return sum / SQUARE ** 2;
};

/** Turned clockwise. */
export const turnPicture = (picture: GreyPicture, quarters: number): GreyPicture => {
  let turned = picture;
  for (let i = 0; i < quarters; i++) turned = quarterTurn(turned);
  return turned;
};

const quarterTurn = ({ width, height, pixels }: GreyPicture): GreyPicture => {
  const turned = Buffer.allocUnsafe(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = pixels[y * width + x] ?? 0;
  return { width: height, height: width, pixels: turned };
};
