// The scans of a progressive JPEG: each is a few bytes, and decoding it visits every pixel.

const MARK = 0xff;
const SCAN = 0xda;
const END = 0xd9;
const FIRST_WITHOUT_LENGTH = 0xd0;

/** Counted up to `most` and one more. */
export const countJpegScans = (bytes: Buffer, most: number): number => {
  let scans = 0;
  for (let at = bytes.indexOf(MARK, 2); at >= 0 && at + 4 <= bytes.length && scans <= most; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === END) break;
    if (marker === SCAN) scans++;
    // 0 and the first marks stand inside the data of a scan, a second 0xff is padding.
    const next =
      marker === MARK
        ? at + 1
        : marker === 0 || (marker >= FIRST_WITHOUT_LENGTH && marker < END)
          ? at + 2
          : at + 2 + bytes.readUInt16BE(at + 2);
    at = bytes.indexOf(MARK, next);
  }
  return scans;
};
