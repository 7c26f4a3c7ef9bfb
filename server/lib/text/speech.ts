// Transcribed speech: short pieces with their times, joined into passages of about a minute.

export interface SpokenPiece {
  readonly text: string;
  /** In seconds. */
  readonly start: number;
  readonly end: number;
  readonly speaker?: string;
}

export interface SpokenPassage {
  readonly text: string;
  /** In seconds. */
  readonly startTime: number;
  readonly endTime: number;
  readonly speaker?: string;
}

export interface Speech {
  /** In order. A piece without a speaker belongs to the speaker before it. */
  say(piece: SpokenPiece): void;
  passages(): SpokenPassage[];
}

/** A passage longer than this ends with the next sentence. */
const ENOUGH = 600;
/** A passage longer than this ends at once. */
const MOST = 1_000;
/** A longer silence ends a passage. */
const SILENCE_SECONDS = 20;

interface OpenPassage {
  readonly texts: string[];
  readonly start: number;
  end: number;
  readonly speaker: string | undefined;
  length: number;
}

export const createSpeech = (): Speech => {
  const passages: OpenPassage[] = [];
  return {
    say({ text, start, end, speaker: named }) {
      if (text === '') return;
      const last = passages.at(-1);
      const speaker = named ?? last?.speaker;
      if (last !== undefined && continuesPassage(last, start, speaker)) {
        last.texts.push(text);
        last.length += text.length + 1;
        last.end = Math.max(last.end, end);
      } else passages.push({ texts: [text], start, end, speaker, length: text.length });
    },
    passages: () =>
      passages.map(({ texts, start, end, speaker }) => ({
        text: texts.join(' '),
        startTime: toMilliseconds(start),
        endTime: toMilliseconds(end),
        ...(speaker === undefined ? {} : { speaker }),
      })),
  };
};

const continuesPassage = (last: OpenPassage, start: number, speaker: string | undefined): boolean => {
  if (speaker !== last.speaker || start - last.end > SILENCE_SECONDS || last.length >= MOST) return false;
  return last.length < ENOUGH || !/[.!?。！？…]["'”’)]?$/.test(last.texts.at(-1) ?? '');
};

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;
