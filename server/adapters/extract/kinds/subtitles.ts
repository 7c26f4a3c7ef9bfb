// Subtitles (WebVTT, SubRip): the words with their speaker and time. Cues are short, so neighbours are joined.
import { createSpeech, type SpokenPassage } from '../../../lib/text/speech.ts';
import type { Content, Extractor, Sink } from '../contract.ts';
import { failure } from '../failures.ts';

const BEGINNING = /^(?:WEBVTT(?:[ \t\n]|$)|\d{1,6}[ \t]{0,8}\n\d{1,2}:\d{2}:\d{2}[,.]\d{1,3} {1,3}--> )/;
const TIMES =
  /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3}) {1,3}--> {1,3}(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})/;
const VOICE = /^<v(?:\.[\w.]{1,60})? ([^>\n]{1,80})>/;
const NAMED = /^(?:- ?|>> ?)?([\p{Lu}][\p{L}\p{M}\p{N} .'’-]{0,30}): /u;
const MARKUP = /<\/?[a-z0-9][^<>\n]{0,80}>|\{\\[^}\n]{1,40}\}/gi;

export const subtitlesExtractor: Extractor = {
  documentation: {
    formats: 'Subtitles (WebVTT, SRT)',
    readAs: 'the spoken text, joined into passages',
    places: '`startTime`, `endTime` in seconds',
  },
  kinds: {
    subtitles: {
      label: 'subtitles',
      mimeType: (text) => (/^\s{0,20}WEBVTT/.test(text) ? 'text/vtt' : 'application/x-subrip'),
      pace: 'quick',
      isText: true,
      detect: { endings: 'srt vtt', certainText: ({ head }) => BEGINNING.test(head) },
    },
  },
  read: async ({ text }: Content, sink: Sink) => {
    const passages = readSubtitles(text);
    if (passages.length === 0) throw failure('no_text_found', { what: 'These subtitles have no text.' });
    sink.begin({ form: 'prose', metadata: { duration: passages.at(-1)?.endTime } });
    for (const passage of passages) await sink.part(passage);
  },
};

export const readSubtitles = (text: string): SpokenPassage[] => {
  const speech = createSpeech();
  for (const block of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => TIMES.test(line.trim().slice(0, 80)));
    const times = TIMES.exec(lines[at]?.trim() ?? '');
    if (times === null) continue;
    const [start, end] = [toSeconds(times.slice(1, 5)), toSeconds(times.slice(5, 9))];
    for (const line of lines.slice(at + 1)) speech.say({ start, end, ...captionLine(line.trim()) });
  }
  return speech.passages();
};

const captionLine = (line: string): { text: string; speaker?: string } => {
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
};

const toSeconds = ([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number => {
  const whole = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return whole + Number(`0.${fraction ?? 0}`);
};
