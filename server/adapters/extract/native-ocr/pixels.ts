// The pixels of a page that the child process wrote for the program: their number has to be the declared one.
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MOST_PAGE_PIXELS, type PageToRecognise, pixelFile } from '../protocol.ts';

/** Removes the file. */
export const readPixels = async (
  scratch: string,
  { page, width, height }: PageToRecognise,
): Promise<Buffer> => {
  const numbers = [page, width, height];
  if (!numbers.every((one) => Number.isSafeInteger(one) && one > 0) || width * height > MOST_PAGE_PIXELS)
    throw new Error('The picture of the page has an impossible size.');
  const path = join(scratch, pixelFile(page));
  // A link would lead to a file that the child may not read.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const pixels = Buffer.allocUnsafe(width * height);
    const { size } = await file.stat();
    const { bytesRead } = await file.read(pixels, 0, pixels.length, 0);
    if (size !== pixels.length || bytesRead !== size)
      throw new Error('The picture of the page has another size than it declares.');
    return pixels;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
};
