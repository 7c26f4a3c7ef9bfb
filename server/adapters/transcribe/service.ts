// The connection to a transcription service: one request for each piece of sound, with retries.
import { readFile } from 'node:fs/promises';
import type OpenAI from 'openai';
import { IngestError, ingestError } from '../../core/errors.ts';
import { type RetryPlan, withRetries } from '../../lib/async/retry.ts';
import { createOpenAiClient, retryDecision, serviceUrl } from '../../lib/openai/client.ts';
import { invalidAnswerError, type RemoteService, serviceError } from '../../lib/openai/failures.ts';
import { USUAL_SETTINGS } from '../../lib/openai/settings.ts';
import type { SoundPiece, TranscriptionSettings } from './port.ts';
import { readTranscript, type Transcript } from './transcript.ts';

export interface TranscriptionService {
  transcribe(piece: SoundPiece, signal?: AbortSignal): Promise<Transcript>;
}

const TIMEOUT_MS = 600_000;
const RETRIES: RetryPlan = { attempts: 4, firstWaitMs: 1_000, longestWaitMs: 30_000 };

/** `verbose_json` has the times of each segment; some models only know the plain form. */
type AnswerForm = 'verbose_json' | 'json';

interface ServiceContext {
  readonly client: OpenAI;
  readonly service: RemoteService;
  readonly settings: TranscriptionSettings;
  /** Changed once the service has refused the other form. */
  form: AnswerForm;
}

export const openService = async (settings: TranscriptionSettings): Promise<TranscriptionService> => {
  const { model, apiKey, baseUrl } = settings;
  const url = serviceUrl('transcription', settings, ingestError);
  const context: ServiceContext = {
    client: await createOpenAiClient({ model, apiKey, baseUrl }, url),
    settings,
    form: 'verbose_json',
    service: {
      failure: ingestError,
      title: 'transcription service',
      code: 'transcription',
      modelSetting: 'MEMOIR_TRANSCRIPTION_MODEL',
      settings: settings.settings ?? USUAL_SETTINGS,
      refusedHint: 'If it does not take this format, convert the recording to MP3 or WAV and send that file.',
      afterwards: 'Then send the document again.',
      host: url.host,
      model,
      secrets: apiKey ? [apiKey] : [],
    },
  };
  return {
    transcribe: (piece, signal) =>
      withRetries(
        () => transcribePiece(context, piece, signal),
        settings.retries ?? RETRIES,
        retryDecision,
        signal,
      ),
  };
};

const transcribePiece = async (
  context: ServiceContext,
  piece: SoundPiece,
  signal: AbortSignal | undefined,
): Promise<Transcript> => {
  const { service, settings } = context;
  const { timeoutMs = TIMEOUT_MS } = settings;
  const limit = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const transcript = readTranscript(await sendPiece(context, piece, stop));
    if (transcript === null) throw invalidAnswerError(service, 'answered without a transcript');
    return transcript;
  } catch (error) {
    signal?.throwIfAborted();
    if (context.form === 'verbose_json' && refusesForm(error)) {
      context.form = 'json';
      return transcribePiece(context, piece, signal);
    }
    throw error instanceof IngestError
      ? error
      : serviceError(service, error, limit.aborted ? timeoutMs : undefined);
  }
};

/** Reads the whole file first: a file that disappears while it is streamed would only be noticed when the process ends. */
const sendPiece = async (
  { client, settings: { model, language }, form }: ServiceContext,
  { file, name, mimeType }: SoundPiece,
  signal: AbortSignal,
): Promise<unknown> => {
  const bytes = await readFile(file);
  return client.audio.transcriptions.create(
    {
      file: new File([bytes], name, { type: mimeType }),
      model,
      response_format: form,
      ...(language === undefined ? {} : { language }),
    },
    { signal, timeout: 2 ** 31 - 1 },
  );
};

/** As in "response_format 'verbose_json' is not compatible with model …". */
const refusesForm = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null || !('status' in error) || error.status !== 400)
    return false;
  return error instanceof Error && /response_format|verbose_json/i.test(error.message);
};
