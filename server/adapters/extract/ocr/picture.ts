// The header of a picture: its size, checked before anything is decoded, and its animation.
import { imageSize } from 'image-size';
import { failure } from '../failures.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 20_000;

export const checkedSize = (bytes: Uint8Array): PictureSize => {
  const { width, height } = declaredSize(bytes);
  if (width * height > MOST_PIXELS || Math.max(width, height) > LONGEST_SIDE)
    throw failure('image_too_large', {
      what: `This picture has ${width} × ${height} pixels; at most 50 million are read, and 20,000 on a side.`,
    });
  return { width, height };
};

const declaredSize = (bytes: Uint8Array): PictureSize => {
  try {
    return imageSize(bytes);
  } catch (error) {
    throw failure('corrupt_file', { cause: error });
  }
};

/** Only the first frame of an animation is read. */
export const isAnimated = (bytes: Buffer, mimeType: string): boolean => {
  if (mimeType === 'image/gif') return gifFrames(bytes) > 1;
  if (mimeType === 'image/webp')
    return bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
  return mimeType === 'image/apng' || (mimeType === 'image/png' && bytes.subarray(0, 4_096).includes('acTL'));
};

const colourTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Counts up to two. */
const gifFrames = (bytes: Buffer): number => {
  let at = 13 + colourTable(bytes[10] ?? 0);
  let frames = 0;
  while (at < bytes.length && frames < 2) {
    const block = bytes[at];
    if (block === 0x2c) {
      frames++;
      at += 11 + colourTable(bytes[at + 9] ?? 0);
    } else if (block === 0x21) at += 2;
    else break;
    for (let size = bytes[at]; size !== undefined && size > 0; size = bytes[at]) at += size + 1;
    at++;
  }
  return frames;
};
