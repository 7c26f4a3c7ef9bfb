// The transcriber: sends a recording piece by piece to a transcription service and joins its answers into passages.
import { createSpeech, type SpokenPiece } from '../../lib/text/speech.ts';
import type { SoundPiece, TranscribedPassage, Transcriber, TranscriptionSettings } from './port.ts';
import { openService } from './service.ts';
import type { Transcript } from './transcript.ts';

/** The length of an estimated passage, in characters, where a service gives no times. */
const ESTIMATED_LENGTH = 800;

export const createTranscriber = (settings: TranscriptionSettings): Transcriber => ({
  async transcribe(pieces, { parts, progress, signal }) {
    const service = await openService(settings);
    let estimated = false;
    for (const [i, piece] of pieces.entries()) {
      const transcript = await service.transcribe(piece, signal);
      estimated ||= transcript.segments === null && transcript.text !== '';
      const passages = passagesOfPiece(piece, transcript);
      if (passages.length > 0) await parts(passages);
      progress({ done: i + 1, total: pieces.length, unit: 'parts' });
    }
    return estimated ? ['The transcription service gave no times, so they are estimated.'] : [];
  },
});

const passagesOfPiece = (piece: SoundPiece, transcript: Transcript): TranscribedPassage[] => {
  const speech = createSpeech();
  for (const spoken of transcript.segments ?? estimatedPieces(transcript.text, piece))
    speech.say({ ...spoken, start: piece.startTime + spoken.start, end: piece.startTime + spoken.end });
  return speech.passages();
};

/** Assumes that every character takes the same time. */
const estimatedPieces = (text: string, { startTime, endTime }: SoundPiece): SpokenPiece[] => {
  const perCharacter = text.length === 0 ? 0 : (endTime - startTime) / text.length;
  const found: SpokenPiece[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfPassage(text, at);
    found.push({ text: text.slice(at, end).trim(), start: at * perCharacter, end: end * perCharacter });
    at = end;
  }
  return found;
};

/** Behind the last sentence that fits, else behind the last word. */
const endOfPassage = (text: string, from: number): number => {
  if (text.length - from <= ESTIMATED_LENGTH) return text.length;
  const window = text.slice(from, from + ESTIMATED_LENGTH);
  const sentence = Math.max(...['. ', '? ', '! ', '。', '？', '！'].map((mark) => window.lastIndexOf(mark)));
  const word = window.lastIndexOf(' ');
  const end = sentence > ESTIMATED_LENGTH / 3 ? sentence : word > 0 ? word : ESTIMATED_LENGTH - 1;
  return from + end + 1;
};
