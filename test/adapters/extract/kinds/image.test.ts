import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkedPicture } from '../../../../server/adapters/extract/ocr/picture.ts';
import { describeKind } from '../fixtures/contract.ts';
import { characterErrorRate } from '../fixtures/error-rate.ts';
import { readBytes } from '../fixtures/in-process.ts';

describeKind('image', { sample: 'img/label16px.png', type: 'image', mimeType: /^image\/png$/ });

const samples = join(import.meta.dirname, '../../../fixtures/samples');
const label = readFileSync(join(samples, 'truth/label.txt'), 'utf8');

/** The header of a GIF of 2 × 2 pixels, with this number of frames. */
const gif = (frames: number): Buffer => {
  const frame = Buffer.from([
    0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x44, 1, 0,
  ]);
  const header = Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
};

describe('a picture', () => {
  it.each(['img/label16px.png', 'img/transparent.png'])(
    'has its text recognised: %s',
    async (file) => {
      const { head, parts } = await readBytes(readFileSync(join(samples, file)));
      expect(head).toMatchObject({ kind: 'image', type: 'image', metadata: { width: 900 } });
      expect(characterErrorRate(parts[0]?.text ?? '', label)).toBeLessThan(0.02);
    },
    60_000,
  );

  it('has no text when it shows no letters', async () => {
    const bytes = readFileSync(join(samples, 'img/anim.gif'));
    await expect(readBytes(bytes)).rejects.toMatchObject({ code: 'no_text_found' });
  }, 60_000);

  it('is refused before it is decoded when it is too large', async () => {
    const giant = readFileSync(join(samples, 'bad/giant-lie.png'));
    await expect(checkedPicture(giant, 'image/png')).rejects.toMatchObject({ code: 'image_too_large' });
    await expect(checkedPicture(Buffer.from('no picture'), 'image/png')).rejects.toMatchObject({
      code: 'corrupt_file',
    });
  });

  it('is recognised as an animation when it has several frames, and only the first is decoded', async () => {
    const one = await checkedPicture(gif(1), 'image/gif');
    const two = await checkedPicture(gif(2), 'image/gif');
    expect([one.animated, two.animated]).toEqual([false, true]);
    expect(one.bytes).toEqual(gif(1));
    expect(two.bytes).toEqual(gif(1));
    const still = readFileSync(join(samples, 'img/label16px.png'));
    expect((await checkedPicture(still, 'image/png')).animated).toBe(false);
    const empty = Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 2, 0, 2, 0, 0, 0, 0]);
    expect(await checkedPicture(empty, 'image/gif')).toMatchObject({ animated: false, bytes: empty });
    const size = Buffer.from([2, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
    const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0'), size]);
    expect((await checkedPicture(webp, 'image/webp')).animated).toBe(true);
  });

  it('fails when its text takes longer to recognise than a picture may', async () => {
    const bytes = readFileSync(join(samples, 'img/label16px.png'));
    await expect(readBytes(bytes, {}, { ocrPageMs: 1 })).rejects.toMatchObject({
      code: 'extraction_timeout',
      message: expect.stringContaining('Scale it down'),
    });
  }, 60_000);
});
