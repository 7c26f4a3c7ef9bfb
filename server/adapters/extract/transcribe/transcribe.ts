// Pieces of sound to text with times, by any OpenAI-compatible service of transcriptions.
import type { IngestError } from '../../../errors.ts';
import { failure } from '../failures.ts';
import { createSpeech, type Said } from '../media/speech.ts';
import type { ContentPart, ReadProgress, TranscriptionSettings } from '../port.ts';
import type { AudioPiece } from '../protocol.ts';
import { openService, type Transcript } from './service.ts';

export interface Taker {
  parts(parts: readonly ContentPart[]): void | Promise<void>;
  progress(progress: ReadProgress): void;
  readonly signal?: AbortSignal | undefined;
}

/** Where a service gives no times: so many characters are said in a row before the next passage begins. */
const UNTIMED = 800;

/** Resolves with what the owner has to know. */
export async function transcribe(
  pieces: readonly AudioPiece[],
  settings: TranscriptionSettings | undefined,
  { parts, progress, signal }: Taker,
): Promise<string[]> {
  if (settings === undefined) throw failure('transcription_unavailable');
  const service = await openService(settings);
  let untimed = false;
  let characters = 0;
  for (const [i, piece] of pieces.entries()) {
    const transcript = await service.transcribe(piece, signal);
    untimed ||= transcript.segments === null && transcript.text !== '';
    const found = passagesOf(piece, transcript);
    characters += found.reduce((all, { text }) => all + text.length, 0);
    if (found.length > 0) await parts(found);
    progress({ done: i + 1, total: pieces.length, unit: 'parts' });
  }
  if (characters === 0) throw silent();
  return untimed ? ['The transcription service gave no times, so they are estimated.'] : [];
}

const silent = (): IngestError =>
  failure('no_text_found', { what: 'Nothing that is said was recognised in this recording.' });

function passagesOf(piece: AudioPiece, transcript: Transcript): ContentPart[] {
  const speech = createSpeech();
  for (const said of transcript.segments ?? estimated(transcript.text, piece))
    speech.say({ ...said, start: piece.startTime + said.start, end: piece.startTime + said.end });
  return speech.parts();
}

/** As if every character took as long to say as any other. */
function estimated(text: string, { startTime, endTime }: AudioPiece): Said[] {
  const perCharacter = text.length === 0 ? 0 : (endTime - startTime) / text.length;
  const found: Said[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfPassage(text, at);
    found.push({ text: text.slice(at, end).trim(), start: at * perCharacter, end: end * perCharacter });
    at = end;
  }
  return found;
}

/** Behind the last sentence that fits, else the last word. */
function endOfPassage(text: string, from: number): number {
  if (text.length - from <= UNTIMED) return text.length;
  const window = text.slice(from, from + UNTIMED);
  const sentence = Math.max(...['. ', '? ', '! ', '。', '？', '！'].map((mark) => window.lastIndexOf(mark)));
  const word = window.lastIndexOf(' ');
  const end = sentence > UNTIMED / 3 ? sentence : word > 0 ? word : UNTIMED - 1;
  return from + end + 1;
}
