// Every way in which content cannot be read: one code each, with what happened and what its owner can do.
import { IngestError } from '../../errors.ts';

interface Failure {
  readonly what: string;
  readonly next: string;
}

const SAVE_AGAIN = 'Open it in the program that made it, save it again and send that file.';
const SMALLER = 'Send a smaller part of it, or its text.';

export const FAILURES = {
  empty_file: {
    what: 'The content is empty.',
    next: 'Send a file or a text that holds something.',
  },
  unsupported_type: {
    what: 'Content of this kind cannot be read.',
    next: 'Send it as PDF, DOCX, PPTX, XLSX, CSV, HTML, plain text, a picture, audio or video; or send its text.',
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
    what: 'This file holds names that lead out of it, as harmful files do.',
    next: SAVE_AGAIN,
  },
  unsafe_xml: {
    what: 'The XML of this file declares entities, as harmful files do.',
    next: SAVE_AGAIN,
  },
  too_deep: {
    what: 'The elements of this file are nested too deeply, so it is damaged or made to do harm.',
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
    next: 'If it should hold some, send its text instead.',
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
    what: 'The sound of this file is encoded in a way that cannot be cut out of it.',
    next: 'Convert it to MP3, M4A or WAV and send that file.',
  },
  media_too_long: {
    what: 'This recording is longer than 6 hours.',
    next: 'Send it in several parts, each with its own customId.',
  },
  transcription_unavailable: {
    what: 'Sound is turned into text by a transcription service, and none is set.',
    next: 'Set MEMOIR_TRANSCRIPTION_MODEL (as in whisper-1), with OPENAI_API_KEY or the OPENAI_BASE_URL of your own service, restart and send this again.',
  },
  transcription_settings: {
    what: 'The address of the transcription service cannot be used.',
    next: 'Correct OPENAI_BASE_URL and send this again.',
  },
  transcription_auth: {
    what: 'The transcription service refused the key.',
    next: 'Correct OPENAI_API_KEY and send this again.',
  },
  transcription_model: {
    what: 'The transcription service does not know the model.',
    next: 'Correct MEMOIR_TRANSCRIPTION_MODEL and send this again.',
  },
  transcription_refused: {
    what: 'The transcription service refused this recording.',
    next: 'Convert it to MP3 or WAV and send that file.',
  },
  transcription_invalid: {
    what: 'The transcription service answered with something that is no transcript.',
    next: 'Check OPENAI_BASE_URL and send this again.',
  },
  file_too_complex: {
    what: 'Reading this content needed more memory than it may have and was stopped.',
    next: SMALLER,
  },
  extraction_timeout: {
    what: 'Reading this content took too long and was stopped.',
    next: SMALLER,
  },
  extraction_failed: {
    what: 'This content could not be read: its parser gave up.',
    next: 'Check that it is complete, or send its text instead.',
  },
} as const satisfies Readonly<Record<string, Failure>>;

export type FailureCode = keyof typeof FAILURES;

export interface FailureDetails {
  /** Says more exactly what happened. */
  readonly what?: string;
  /** Says more exactly what to do. */
  readonly next?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

export function failure(code: FailureCode, details: FailureDetails = {}): IngestError {
  const { what, next } = FAILURES[code];
  return new IngestError(code, `${details.what ?? what} ${details.next ?? next}`, {
    retryable: details.retryable ?? false,
    ...(details.cause === undefined ? {} : { cause: details.cause }),
  });
}

/** Errors of ours as they are; all else is what a parser threw, and becomes `code`. */
export const failureOf = (code: FailureCode, error: unknown): IngestError =>
  error instanceof IngestError ? error : failure(code, { cause: error });
