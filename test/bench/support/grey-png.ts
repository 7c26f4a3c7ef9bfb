// A grey picture as a PNG: the parts that a PDF takes over from it.
import { deflateSync } from 'node:zlib';
import type { GreyPicture } from '../../../server/lib/pictures/grey-picture.ts';

/** The size and the compressed rows. */
export function greyPng({ width, height, pixels }: GreyPicture): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    pixels.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width);
  const data = deflateSync(rows);
  const size = Buffer.alloc(33);
  size.writeUInt32BE(13, 8);
  size.write('IHDR', 12, 'latin1');
  size.writeUInt32BE(width, 16);
  size.writeUInt32BE(height, 20);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write('IDAT', 4, 'latin1');
  return Buffer.concat([size, head, data, Buffer.alloc(4)]);
}
