// Every failure of extraction: a code, a sentence that says what happened, and a sentence of advice.
import { IngestError } from '../../core/errors.ts';
import { SUPPORTED_KINDS } from './content-kinds.generated.ts';

interface FailureText {
  readonly what: string;
  readonly next: string;
}

const SAVE_AGAIN = 'Open it in the program that made it, save it again and send that file.';
const SMALLER = 'Send a smaller part of it, or its text.';

/** Takes the list as an argument, because the documentation is generated before the list is loaded again. */
export const sendSupported = (kinds: string): string => `Send it as ${kinds}; or send its text.`;

export const FAILURES = {
  empty_file: {
    what: 'The content is empty.',
    next: 'Send a file or a text that is not empty.',
  },
  unsupported_type: {
    what: 'Content of this kind cannot be read.',
    next: sendSupported(SUPPORTED_KINDS),
  },
  corrupt_file: {
    what: 'The file is damaged or incomplete.',
    next: SAVE_AGAIN,
  },
  encrypted_file: {
    what: 'The file is protected by a password.',
    next: 'Remove the password and send it again.',
  },
  archive_too_large: {
    what: 'Unpacked, this file is larger than 300 MB.',
    next: SMALLER,
  },
  archive_too_many_entries: {
    what: 'This file consists of more than 5,000 files.',
    next: SMALLER,
  },
  unsafe_archive: {
    what: 'Names inside this file lead out of it, as in harmful files.',
    next: SAVE_AGAIN,
  },
  unsafe_xml: {
    what: 'The XML of this file declares entities, as in harmful files.',
    next: SAVE_AGAIN,
  },
  too_deep: {
    what: 'The elements of this file are nested too deeply, so it is damaged or harmful.',
    next: 'Send its text instead.',
  },
  too_many_elements: {
    what: 'This file has more than 8 million elements.',
    next: SMALLER,
  },
  text_too_large: {
    what: 'The text of this content is longer than 30 million characters.',
    next: 'Send it in several parts, each with its own customId.',
  },
  image_too_large: {
    what: 'This picture has more than 50 million pixels, or a side of more than 20,000.',
    next: 'Scale it down and send it again.',
  },
  no_text_found: {
    what: 'No text was found in this content.',
    next: 'If it has text, send that text instead.',
  },
  ocr_language_missing: {
    what: 'The data to recognise text in this language is not installed.',
    next: 'Install the package or take the language out of MEMOIR_OCR_LANGUAGES.',
  },
  no_audio_track: {
    what: 'This video has no sound, so there is nothing to transcribe.',
    next: 'Send a text that describes it.',
  },
  unsupported_codec: {
    what: 'The sound of this file has an encoding that cannot be cut out of it.',
    next: 'Convert it to MP3, M4A or WAV and send that file.',
  },
  media_too_long: {
    what: 'This recording is longer than 6 hours.',
    next: 'Send it in several parts, each with its own customId.',
  },
  transcription_unavailable: {
    what: 'A transcription service turns sound into text, and none is set.',
    next: 'Set MEMOIR_TRANSCRIPTION_MODEL (as in whisper-1), with OPENAI_API_KEY or the OPENAI_BASE_URL of your own service, restart and send this again.',
  },
  file_too_complex: {
    what: 'Reading this content needed more memory than allowed and was stopped.',
    next: SMALLER,
  },
  extraction_timeout: {
    what: 'Reading this content took too long and was stopped.',
    next: SMALLER,
  },
  extraction_failed: {
    what: 'This content could not be read: its parser failed.',
    next: 'Check that it is complete, or send its text instead.',
  },
} as const satisfies Readonly<Record<string, FailureText>>;

export type FailureCode = keyof typeof FAILURES;

export interface FailureDetails {
  /** Replaces the sentence that says what happened. */
  readonly what?: string;
  /** Replaces the advice. */
  readonly next?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

export const failure = (code: FailureCode, details: FailureDetails = {}): IngestError => {
  const { what, next } = FAILURES[code];
  return new IngestError(code, `${details.what ?? what} ${details.next ?? next}`, {
    retryable: details.retryable ?? false,
    ...(details.cause === undefined ? {} : { cause: details.cause }),
  });
};

/** An IngestError as it is; any other error comes from a parser and becomes `code`. */
export const asFailure = (code: FailureCode, error: unknown): IngestError =>
  error instanceof IngestError ? error : failure(code, { cause: error });
