// Captions and transcripts with times (WebVTT, SubRip): cues of one speaker in a row make one turn.
import { eachLine } from '../../../lib/text/lines.ts';
import { type Conversation, MOST_TURNS, type Turn } from './conversation.ts';

/** A longer speech is cut at the next cue, so that a lecture by one voice does not become a single turn. */
const LONGEST_SPEECH = 600;

const SUBRIP = /^\d{1,6}\n\d{1,2}:\d{2}:\d{2}[,.]\d{1,3} {1,3}--> /;
const TIMES = /^(?:\d{1,3}:)?\d{1,2}:\d{2}[,.]\d{1,3} {1,3}--> {1,3}(?:\d{1,3}:)?\d{1,2}:\d{2}[,.]\d{1,3}/;
const VOICE = /^<v(?:\.[\w.]{1,60})? ([^>\n]{1,80})>/;
const NAMED = /^(?:- ?|>> ?)?([\p{Lu}][\p{L}\p{M}\p{N} .'’-]{0,30}): /u;
const MARKUP = /<\/?[a-z0-9][^<>\n]{0,80}>/gi;

interface Speech {
  start: number;
  speaker: string | undefined;
  lines: string[];
  /** Words outside all cues. */
  loose: boolean;
  length: number;
}

export const readCaptions = (source: string): Conversation | null => {
  if (!/^\s{0,20}WEBVTT(?:\s|$)/.test(source.slice(0, 40)) && !SUBRIP.test(source.trimStart().slice(0, 80)))
    return null;
  const speeches: Speech[] = [];
  let cue: number | null = null;
  eachLine(source, (start, end) => {
    const line = source.slice(start, end).trim();
    if (line === '') cue = null;
    else if (TIMES.test(line.slice(0, 80))) cue = start;
    else if (cue !== null) addLine(speeches, line, cue);
    else if (!isCueHeader(line)) addLoose(speeches, line, start);
    return speeches.length <= MOST_TURNS;
  });
  if (speeches.length > MOST_TURNS) return null;
  const turns = speeches.map(speechTurn);
  if (!speeches.some((speech) => !speech.loose)) return null;
  return { format: 'captions', source, turns, starts: speeches.map((speech) => speech.start) };
};

/** Cue numbers and the header carry no text. */
const isCueHeader = (line: string): boolean =>
  /^\d{1,7}$/.test(line) || /^WEBVTT\b/.test(line) || line === 'STYLE' || line === 'REGION';

const addLine = (speeches: Speech[], line: string, start: number): void => {
  const voice = VOICE.exec(line) ?? NAMED.exec(line.slice(0, 80));
  const text = line
    .slice(voice?.[0].length ?? 0)
    .replace(MARKUP, '')
    .trim();
  if (text === '') return;
  const last = speeches.at(-1);
  const speaker = voice?.[1]?.trim();
  const goesOn = last !== undefined && !last.loose && (speaker === undefined || speaker === last.speaker);
  if (goesOn && last.length < LONGEST_SPEECH) {
    last.lines.push(text);
    last.length += text.length;
    return;
  }
  const name = speaker ?? (goesOn ? last.speaker : undefined);
  speeches.push({ start, speaker: name, lines: [text], loose: false, length: text.length });
};

const addLoose = (speeches: Speech[], line: string, start: number): void => {
  const last = speeches.at(-1);
  if (last?.loose) last.lines.push(line);
  else speeches.push({ start, speaker: undefined, lines: [line], loose: true, length: 0 });
};

const speechTurn = ({ speaker, lines, loose }: Speech): Turn => {
  const text = lines.join(loose ? '\n' : ' ');
  return speaker === undefined ? { role: null, text } : { role: null, speaker, text };
};
