import { describe, expect, it } from 'vitest';
import { readSubtitles } from '../../../../server/adapters/extract/kinds/subtitles.ts';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';

describeKind('subtitles', { sample: 'conv/meeting.vtt', type: 'text', mimeType: /vtt$/ });

const cue = (from: string, to: string, text: string): string => `${from} --> ${to}\n${text}\n\n`;

describe('subtitles', () => {
  it('become passages with their times and speakers', () => {
    const vtt = `WEBVTT\n\nSTYLE\n::cue { color: red }\n\n${cue('00:01.000', '00:02.500', '<v Ana>Good <b>morning</b>.')}${cue('00:02.500', '00:04.000', 'Sit down.')}${cue('01:00:05.000', '01:00:06.000', '<v Ben>Thank &amp; you.')}`;
    expect(readSubtitles(vtt)).toEqual([
      { text: 'Good morning. Sit down.', speaker: 'Ana', startTime: 1, endTime: 4 },
      { text: 'Thank & you.', speaker: 'Ben', startTime: 3_605, endTime: 3_606 },
    ]);
  });

  it('are joined into passages of about a minute that end with a sentence', () => {
    const cues = Array.from({ length: 60 }, (_, i) =>
      cue(
        `00:00:${String(i).padStart(2, '0')},000`,
        `00:00:${String(i).padStart(2, '0')},900`,
        'Forty characters of words are said here.',
      ),
    ).map((text, i) => `${i + 1}\n${text}`);
    const parts = readSubtitles(cues.join(''));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every(({ text }) => text.endsWith('.') && text.length < 1_100)).toBe(true);
    expect(parts[1]?.startTime).toBeGreaterThan(10);
  });

  it('are refused when they have no text', async () => {
    await expect(
      readBytes(Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n<i></i>\n')),
    ).rejects.toMatchObject({
      code: 'no_text_found',
    });
  });
});
