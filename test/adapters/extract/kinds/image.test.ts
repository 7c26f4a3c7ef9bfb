import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkedSize, isAnimated } from '../../../../server/adapters/extract/ocr/picture.ts';
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

  it('is refused before it is decoded when it is too large', () => {
    expect(() => checkedSize(readFileSync(join(samples, 'bad/giant-lie.png')))).toThrow(
      expect.objectContaining({ code: 'image_too_large' }),
    );
    expect(() => checkedSize(Buffer.from('no picture'))).toThrow(
      expect.objectContaining({ code: 'corrupt_file' }),
    );
  });

  it('is recognised as an animation when it has several frames', () => {
    expect([isAnimated(gif(1), 'image/gif'), isAnimated(gif(2), 'image/gif')]).toEqual([false, true]);
    expect(isAnimated(Buffer.from('GIF89a'), 'image/gif')).toBe(false);
    expect(isAnimated(readFileSync(join(samples, 'img/label16px.png')), 'image/png')).toBe(false);
    const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\0\0\0\0'), Buffer.from([2])]);
    expect(isAnimated(webp, 'image/webp')).toBe(true);
    expect(isAnimated(deflateSync('x'), 'image/webp')).toBe(false);
  });
});
