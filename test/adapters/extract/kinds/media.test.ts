import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';

describeKind('audio', { sample: 'av/flite.webm', type: 'audio', mimeType: /webm$/ });
describeKind('video', { sample: 'av/talk.mp4', type: 'video', mimeType: /mp4$/ });

const samples = join(import.meta.dirname, '../../../fixtures/samples');
const scratch = mkdtempSync(join(tmpdir(), 'memoir-media-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const RATE = 8_000;

/** Silence as a WAV of one channel, eight bits a sample. */
function silence(seconds: number): Buffer {
  const header = Buffer.alloc(44);
  const bytes = seconds * RATE;
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.alloc(bytes, 0x80)]);
}

describe('a recording', () => {
  it('is cut out of a video as sound to be transcribed', async () => {
    const { head, parts, done } = await readBytes(
      readFileSync(join(samples, 'av/talk.mp4')),
      {},
      { scratch },
    );
    expect(head).toMatchObject({
      ...{ kind: 'video', type: 'video', title: 'A short talk' },
      metadata: { author: 'Ana', duration: 22 },
    });
    expect(parts).toEqual([]);
    expect(done.audio).toMatchObject([
      { name: 'part-1.m4a', mimeType: 'audio/mp4', startTime: 0, endTime: expect.closeTo(22, 0) },
    ]);
    expect(readFileSync(done.audio?.[0]?.file ?? '').length).toBeGreaterThan(30_000);
  });

  it('is cut into consecutive pieces when it is longer than ten minutes', async () => {
    const { done } = await readBytes(silence(1_300), {}, { scratch });
    const pieces = done.audio ?? [];
    expect(pieces.map(({ startTime }) => Math.round(startTime))).toEqual([0, 600, 1_200]);
    for (const [i, { endTime }] of pieces.entries())
      expect(endTime).toBeCloseTo(pieces[i + 1]?.startTime ?? 1_300, 1);
    const [, second] = pieces;
    expect(readFileSync(second?.file ?? '').toString('latin1', 0, 4)).toBe('RIFF');
  });

  it('is sent unchanged when it is short and contains only sound', async () => {
    const { done } = await readBytes(silence(30), {}, { scratch: join(scratch, 'unused') });
    expect(done.audio).toMatchObject([
      { file: expect.stringMatching(/content$/), name: 'whole.wav', mimeType: 'audio/wav', endTime: 30 },
    ]);
    expect(existsSync(join(scratch, 'unused'))).toBe(false);
  });

  it('is refused when it is longer than six hours', async () => {
    const slow = silence(10);
    slow.writeUInt32LE(1, 24);
    slow.writeUInt32LE(1, 28);
    await expect(readBytes(slow)).rejects.toMatchObject({ code: 'media_too_long' });
  });

  it('is not detected in a text that begins like one', async () => {
    expect(
      (await readBytes(Buffer.from('#EXTM3U\nhttp://127.0.0.1/a.ts\n'), { fileName: 'a.mp4' })).head?.kind,
    ).toBe('text');
  });
});
