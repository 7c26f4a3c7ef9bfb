// The answer of a transcription service, in any of its forms.
import { isObject } from '../../lib/objects.ts';
import type { SpokenPiece } from '../../lib/text/speech.ts';

export interface Transcript {
  readonly text: string;
  /** Null: the service gave no times. */
  readonly segments: readonly SpokenPiece[] | null;
}

/** Null: the answer is not a transcript. */
export const readTranscript = (answer: unknown): Transcript | null => {
  if (typeof answer === 'string') return { text: answer.trim(), segments: null };
  if (!isObject(answer) || typeof answer.text !== 'string') return null;
  const text = answer.text.trim();
  const segments = Array.isArray(answer.segments) ? answer.segments.flatMap(readSegment) : [];
  return { text, segments: segments.length === 0 && text !== '' ? null : segments };
};

const readSegment = (segment: unknown): SpokenPiece[] => {
  if (!isObject(segment) || typeof segment.text !== 'string') return [];
  const start = Number(segment.start);
  const end = Number(segment.end);
  if (!Number.isFinite(start) || !Number.isFinite(end)) return [];
  const speaker = typeof segment.speaker === 'string' && segment.speaker !== '' ? segment.speaker : undefined;
  return [{ text: segment.text.trim(), start, end, ...(speaker === undefined ? {} : { speaker }) }];
};
