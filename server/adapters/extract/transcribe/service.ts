// The service of transcriptions: one request for each piece of sound, repeated while that may help.
import { readFile } from 'node:fs/promises';
import type OpenAI from 'openai';
import { createClient, judge, serviceUrl } from '../../../lib/openai/client.ts';
import { type RemoteService, serviceError, unusableAnswer } from '../../../lib/openai/failures.ts';
import { type RetryPlan, withRetries } from '../../../lib/retry.ts';
import type { TranscriptionSettings } from '../port.ts';
import type { AudioPiece } from '../protocol.ts';
import { readTranscript, type Transcript } from './transcript.ts';

export type { Transcript } from './transcript.ts';

export interface TranscriptionService {
  transcribe(piece: AudioPiece, signal?: AbortSignal): Promise<Transcript>;
}

const TIMEOUT_MS = 600_000;
const RETRIES: RetryPlan = { attempts: 4, firstWaitMs: 1_000, longestWaitMs: 30_000 };

/** With times of each segment where the model gives them; some models know the plain form alone. */
type Form = 'verbose_json' | 'json';

export async function openService(settings: TranscriptionSettings): Promise<TranscriptionService> {
  const { model, apiKey, baseUrl, timeoutMs = TIMEOUT_MS } = settings;
  const url = serviceUrl('transcription', baseUrl);
  const client = await createClient({ model, apiKey, baseUrl }, url);
  const service: RemoteService = {
    title: 'transcription service',
    code: 'transcription',
    modelSetting: 'MEMOIR_TRANSCRIPTION_MODEL',
    refusedHint: 'If it does not take this format, convert the recording to MP3 or WAV and send that file.',
    host: url.host,
    model,
    secrets: apiKey ? [apiKey] : [],
  };
  let form: Form = 'verbose_json';

  const once = async (piece: AudioPiece, signal: AbortSignal | undefined): Promise<Transcript> => {
    const limit = AbortSignal.timeout(timeoutMs);
    const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const answer = await ask(client, settings, piece, form, stop);
      const transcript = readTranscript(answer);
      if (transcript === null) throw unusableAnswer(service, 'answered without a transcript');
      return transcript;
    } catch (error) {
      signal?.throwIfAborted();
      if (form === 'verbose_json' && refusesForm(error)) {
        form = 'json';
        return once(piece, signal);
      }
      throw isOurs(error) ? error : serviceError(service, error, limit.aborted ? timeoutMs : undefined);
    }
  };

  return {
    transcribe: (piece, signal) => withRetries(() => once(piece, signal), RETRIES, judge, signal),
  };
}

/** Read whole: of a file that is sent piece by piece and goes away meanwhile nobody would hear but the process as it ends. */
async function ask(
  client: OpenAI,
  { model, language }: TranscriptionSettings,
  { file, name, mimeType }: AudioPiece,
  form: Form,
  signal: AbortSignal,
): Promise<unknown> {
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
}

const isOurs = (error: unknown): boolean => error instanceof Error && error.name === 'IngestError';

/** "response_format 'verbose_json' is not compatible with model …" */
function refusesForm(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error) || error.status !== 400)
    return false;
  return error instanceof Error && /response_format|verbose_json/i.test(error.message);
}
