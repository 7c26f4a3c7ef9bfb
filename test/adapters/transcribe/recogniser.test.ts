// From speech to text, end to end: a synthetic voice, the child process, a real recogniser.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContentReader } from '../../../server/adapters/extract/port.ts';
import { createTranscriber } from '../../../server/adapters/transcribe/transcriber.ts';
import { wordErrorRate } from '../extract/fixtures/error-rate.ts';
import { openReader } from '../extract/fixtures/reader.ts';
import { missingPrograms, type Recogniser, run, startRecogniser } from './fixtures/recogniser.ts';

const samples = join(import.meta.dirname, '../../fixtures/samples');
const spoken = readFileSync(join(samples, 'truth/speech.txt'), 'utf8');
const missing = missingPrograms();
/** The known errors of this recogniser with this voice. */
const MOST_WRONG = 0.1;

describe.skipIf(missing.length > 0)(
  `speech${missing.length > 0 ? ` (skipped: ${missing.join(', ')} not installed; the protocol is tested with a stand-in)` : ''}`,
  () => {
    let reader: ContentReader;
    const folder = mkdtempSync(join(tmpdir(), 'memoir-speech-'));
    let recogniser: Recogniser;
    beforeAll(async () => {
      recogniser = await startRecogniser();
      const settings = { model: 'pocketsphinx', baseUrl: recogniser.baseUrl };
      reader = openReader({ transcriber: createTranscriber(settings) });
    });
    afterAll(() => {
      recogniser.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const read = (file: string) => reader.read({ file });

    it.each(['av/talk.mp4', 'av/flite.webm'])(
      'is recognised in the recording %s',
      async (file) => {
        const { parts, metadata } = await read(join(samples, file));
        expect(metadata?.duration).toBe(22);
        expect(wordErrorRate(parts.map(({ text }) => text).join(' '), spoken)).toBeLessThan(MOST_WRONG);
        expect(parts[0]?.startTime).toBe(0);
        expect(parts.at(-1)?.endTime).toBeCloseTo(22, -1);
      },
      120_000,
    );

    it('is recognised in pieces when it is long, and later passages begin later', async () => {
      const wave = join(folder, 'speech.wav');
      const long = join(folder, 'long.mp3');
      await run('flite', ['-voice', 'awb', '-f', join(samples, 'truth/speech.txt'), '-o', wave]);
      // Silence behind it makes ten minutes and more of it.
      await run('ffmpeg', [
        ...['-v', 'error', '-y', '-i', wave, '-f', 'lavfi', '-t', '600', '-i', 'anullsrc=r=16000:cl=mono'],
        ...['-i', wave, '-filter_complex', '[0][1][2]concat=n=3:v=0:a=1', '-b:a', '32k', long],
      ]);
      const before = recogniser.pieces();
      const { parts } = await read(long);
      expect(recogniser.pieces() - before).toBe(2);
      const late = parts.filter(({ startTime = 0 }) => startTime >= 600);
      expect(wordErrorRate(late.map(({ text }) => text).join(' '), spoken)).toBeLessThan(0.2);
    }, 240_000);
  },
);
