// Subtitles (WebVTT, SubRip): what was said, by whom and when. Cues are short, so neighbours are joined.
import { failure } from '../failures.ts';
import { createSpeech } from '../media/speech.ts';
import type { ContentPart } from '../port.ts';
import type { Content, Sink } from './contract.ts';

const TIMES =
  /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3}) {1,3}--> {1,3}(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})/;
const VOICE = /^<v(?:\.[\w.]{1,60})? ([^>\n]{1,80})>/;
const NAMED = /^(?:- ?|>> ?)?([\p{Lu}][\p{L}\p{M}\p{N} .'’-]{0,30}): /u;
const MARKUP = /<\/?[a-z0-9][^<>\n]{0,80}>|\{\\[^}\n]{1,40}\}/gi;

export async function extractSubtitles({ text }: Content, sink: Sink): Promise<void> {
  const parts = readSubtitles(text);
  if (parts.length === 0) throw failure('no_text_found', { what: 'These subtitles say nothing.' });
  sink.begin({ form: 'prose', metadata: { duration: parts.at(-1)?.endTime } });
  for (const part of parts) await sink.part(part);
}

export function readSubtitles(text: string): ContentPart[] {
  const speech = createSpeech();
  for (const block of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => TIMES.test(line.trim().slice(0, 80)));
    const times = TIMES.exec(lines[at]?.trim() ?? '');
    if (times === null) continue;
    const [start, end] = [secondsOf(times.slice(1, 5)), secondsOf(times.slice(5, 9))];
    for (const line of lines.slice(at + 1)) speech.say({ start, end, ...lineOf(line.trim()) });
  }
  return speech.parts();
}

function lineOf(line: string): { text: string; speaker?: string } {
  const voice = VOICE.exec(line) ?? NAMED.exec(line.slice(0, 80));
  const text = line
    .slice(voice?.[0].length ?? 0)
    .replace(MARKUP, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
  const speaker = voice?.[1]?.trim();
  return speaker === undefined ? { text } : { text, speaker };
}

function secondsOf([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number {
  const whole = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return whole + Number(`0.${fraction ?? 0}`);
}
