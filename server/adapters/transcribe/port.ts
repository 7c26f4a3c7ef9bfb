// The port of transcription: pieces of a recording become passages of text with their times.
import type { RetryPlan } from '../../lib/async/retry.ts';

/** A piece of a recording, in a file. */
export interface SoundPiece {
  readonly file: string;
  /** Its ending names the format. */
  readonly name: string;
  readonly mimeType: string;
  /** In seconds from the beginning of the recording. */
  readonly startTime: number;
  readonly endTime: number;
}

export interface TranscribedPassage {
  readonly text: string;
  /** In seconds from the beginning of the recording. */
  readonly startTime: number;
  readonly endTime: number;
  readonly speaker?: string;
}

export interface TranscriptReceiver {
  /** The passages of one piece; awaited before the next piece is sent. */
  parts(passages: readonly TranscribedPassage[]): void | Promise<void>;
  progress(progress: { readonly done: number; readonly total: number; readonly unit: 'parts' }): void;
  readonly signal?: AbortSignal | undefined;
}

export interface Transcriber {
  /** Resolves with sentences for the owner of the recording. Rejects with an IngestError. */
  transcribe(pieces: readonly SoundPiece[], receiver: TranscriptReceiver): Promise<string[]>;
}

/** Any OpenAI-compatible transcription service. */
export interface TranscriptionSettings {
  /** MEMOIR_TRANSCRIPTION_MODEL, as in "whisper-1". */
  readonly model: string;
  /** Undefined: https://api.openai.com/v1. */
  readonly baseUrl?: string | undefined;
  /** Undefined: none is sent. */
  readonly apiKey?: string | undefined;
  /** ISO 639-1, as in "en"; undefined: the service detects it. */
  readonly language?: string | undefined;
  /** For one piece of at most 10 minutes; default: 10 minutes. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: RetryPlan | undefined;
  /** The settings that hold address and key, for messages. */
  readonly settings?: { readonly address: string; readonly key: string } | undefined;
}
