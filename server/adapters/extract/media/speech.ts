// What was said, piece by piece, joined into passages that each know when they begin.
import type { ContentPart } from '../port.ts';

export interface Said {
  readonly text: string;
  /** In seconds. */
  readonly start: number;
  readonly end: number;
  readonly speaker?: string;
}

export interface Speech {
  /** In order. Without a speaker, whoever spoke last goes on. */
  say(said: Said): void;
  parts(): ContentPart[];
}

/** A passage is about a minute of speech; beyond the first it ends with a sentence, at the second in any case. */
const ENOUGH = 600;
const MOST = 1_000;
/** So long a silence ends a passage. */
const SILENCE_SECONDS = 20;

interface Passage {
  readonly texts: string[];
  readonly start: number;
  end: number;
  readonly speaker: string | undefined;
  length: number;
}

export function createSpeech(): Speech {
  const passages: Passage[] = [];

  return {
    say({ text, start, end, speaker }) {
      if (text === '') return;
      const last = passages.at(-1);
      const who = speaker ?? last?.speaker;
      if (last !== undefined && goesOn(last, start, who)) {
        last.texts.push(text);
        last.length += text.length + 1;
        last.end = Math.max(last.end, end);
      } else passages.push({ texts: [text], start, end, speaker: who, length: text.length });
    },
    parts: () =>
      passages.map(({ texts, start, end, speaker }) => ({
        text: texts.join(' '),
        startTime: rounded(start),
        endTime: rounded(end),
        ...(speaker === undefined ? {} : { speaker }),
      })),
  };
}

function goesOn(last: Passage, start: number, speaker: string | undefined): boolean {
  if (speaker !== last.speaker || start - last.end > SILENCE_SECONDS || last.length >= MOST) return false;
  return last.length < ENOUGH || !/[.!?。！？…]["'”’)]?$/.test(last.texts.at(-1) ?? '');
}

const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;
