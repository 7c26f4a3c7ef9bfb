// Every failure of a transcription service: a code, a sentence that says what happened, a sentence of advice.

export const TRANSCRIPTION_FAILURES = {
  transcription_settings: {
    what: 'The address of the transcription service cannot be used.',
    next: 'Correct MEMOIR_TRANSCRIPTION_URL, or OPENAI_BASE_URL where that is used, and send this again.',
  },
  transcription_auth: {
    what: 'The transcription service refused the key.',
    next: 'Correct MEMOIR_TRANSCRIPTION_API_KEY, or OPENAI_API_KEY where that is used, and send this again.',
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
    what: 'The answer of the transcription service is not a transcript.',
    next: 'Check MEMOIR_TRANSCRIPTION_URL, or OPENAI_BASE_URL where that is used, and send this again.',
  },
} as const;
