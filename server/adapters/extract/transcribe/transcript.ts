// The answer of a transcription service, which may be any of several forms, or none.
import type { Said } from '../media/speech.ts';

export interface Transcript {
  readonly text: string;
  /** Null: the service gave no times. */
  readonly segments: readonly Said[] | null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Null: this is no transcript. */
export function readTranscript(answer: unknown): Transcript | null {
  if (typeof answer === 'string') return { text: answer.trim(), segments: null };
  if (!isFields(answer) || typeof answer.text !== 'string') return null;
  const text = answer.text.trim();
  const segments = Array.isArray(answer.segments) ? answer.segments.flatMap(segmentOf) : [];
  return { text, segments: segments.length === 0 && text !== '' ? null : segments };
}

function segmentOf(given: unknown): Said[] {
  if (!isFields(given) || typeof given.text !== 'string') return [];
  const start = Number(given.start);
  const end = Number(given.end);
  if (!Number.isFinite(start) || !Number.isFinite(end)) return [];
  const speaker = typeof given.speaker === 'string' && given.speaker !== '' ? given.speaker : undefined;
  return [{ text: given.text.trim(), start, end, ...(speaker === undefined ? {} : { speaker }) }];
}
