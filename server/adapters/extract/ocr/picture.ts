// A picture before it is decoded: its declared size against the limits, and its data against its declared size.
import { imageSize } from 'image-size';
import { failure } from '../failures.ts';
import { readGifStart } from './formats/gif.ts';
import { countJpegScans } from './formats/jpeg.ts';
import { plainPng } from './formats/png.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface CheckedPicture extends PictureSize {
  /** The input of the decoder: the first frame, and nothing that is not the picture. */
  readonly bytes: Buffer;
  /** Only the first frame of an animation is read. */
  readonly animated: boolean;
}

const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 20_000;
/** Over all scans of a JPEG; programs write about ten. */
const MOST_SCANNED_PIXELS = 1_000_000_000;

export const checkedPicture = async (bytes: Buffer, mimeType: string): Promise<CheckedPicture> => {
  const size = declaredSize(bytes);
  refuseLarge(size);
  const picture: CheckedPicture = { ...size, bytes, animated: false };
  if (/png$/.test(mimeType)) return checkedPng(picture, mimeType);
  if (mimeType === 'image/gif') return checkedGif(picture);
  if (mimeType === 'image/jpeg') return checkedJpeg(picture);
  return { ...picture, animated: isAnimatedWebp(bytes) };
};

const declaredSize = (bytes: Uint8Array): PictureSize => {
  try {
    const { width, height } = imageSize(bytes);
    return { width, height };
  } catch (error) {
    throw failure('corrupt_file', { cause: error });
  }
};

const refuseLarge = ({ width, height }: PictureSize): void => {
  if (width * height > MOST_PIXELS || Math.max(width, height) > LONGEST_SIDE)
    throw failure('image_too_large', {
      what: `This picture has ${width} × ${height} pixels; at most 50 million are read, and 20,000 on a side.`,
    });
};

const overfull = ({ width, height }: PictureSize) =>
  failure('corrupt_file', {
    what: `The data of this picture unpack to more than its ${width} × ${height} pixels need, so it is damaged or harmful.`,
  });

const checkedPng = async (picture: CheckedPicture, mimeType: string): Promise<CheckedPicture> => {
  const animated = mimeType === 'image/apng' || picture.bytes.subarray(0, 4_096).includes('acTL');
  const bytes = await plainPng(picture.bytes);
  if (bytes === null) throw overfull(picture);
  return { ...picture, animated, bytes };
};

const checkedGif = (picture: CheckedPicture): CheckedPicture => {
  const { frames, bytes, ...frame } = readGifStart(picture.bytes);
  refuseLarge(frame);
  return { ...picture, bytes, animated: frames > 1 };
};

const checkedJpeg = (picture: CheckedPicture): CheckedPicture => {
  const most = Math.floor(MOST_SCANNED_PIXELS / Math.max(1, picture.width * picture.height));
  if (countJpegScans(picture.bytes, most) > most) throw overfull(picture);
  return picture;
};

const isAnimatedWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
