// Transcription against a stand-in that speaks the protocol.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type {
  SoundPiece,
  TranscribedPassage,
  TranscriptionSettings,
} from '../../../server/adapters/transcribe/port.ts';
import { createTranscriber } from '../../../server/adapters/transcribe/transcriber.ts';
import { until } from '../../support/until.ts';
import { type Reply, startTranscriber, type Transcriber } from './fixtures/transcription-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-transcribe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const started: Transcriber[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.close();
});

const serve = async (reply?: Reply): Promise<Transcriber> => {
  const one = await startTranscriber(reply);
  started.push(one);
  return one;
};

const piece = (number: number, seconds = 60): SoundPiece => {
  const name = `part-${number}.m4a`;
  const file = join(folder, name);
  writeFileSync(file, 'sound');
  return { file, name, mimeType: 'audio/mp4', startTime: (number - 1) * seconds, endTime: number * seconds };
};

async function heard(
  transcriber: Transcriber,
  pieces: readonly SoundPiece[] = [piece(1)],
  settings: Partial<TranscriptionSettings> = {},
  signal?: AbortSignal,
) {
  const parts: TranscribedPassage[] = [];
  const progress: object[] = [];
  const notes = await createTranscriber({
    model: 'whisper-1',
    baseUrl: transcriber.baseUrl,
    ...settings,
  }).transcribe(pieces, {
    parts: (found) => void parts.push(...found),
    progress: (told) => progress.push(told),
    signal,
  });
  return { parts, progress, notes };
}

const answering =
  (status: number, body: unknown): Reply =>
  () => ({ status, body });
const saying = (text: string): Reply => answering(200, { text });
const refusing = (status: number, message: string): Reply => answering(status, { error: { message } });

describe('a recording in pieces', () => {
  it('becomes passages with times from the start of the recording', async () => {
    const transcriber = await serve();
    const { parts, progress, notes } = await heard(transcriber, [piece(1), piece(2)]);
    const text = 'Good morning everyone. Please bring your computer.';
    expect(parts).toEqual([
      { text, startTime: 0, endTime: 4 },
      { text, startTime: 60, endTime: 64 },
    ]);
    expect(progress.at(-1)).toEqual({ done: 2, total: 2, unit: 'parts' });
    expect(notes).toEqual([]);
  });

  it('is sent in the form of the protocol', async () => {
    const transcriber = await serve();
    await heard(transcriber, [piece(1)], { apiKey: 'sk-test-key', language: 'de' });
    expect(transcriber.heard).toEqual([
      {
        authorization: 'Bearer sk-test-key',
        fields: { model: 'whisper-1', response_format: 'verbose_json', language: 'de' },
        file: { name: 'part-1.m4a', type: 'audio/mp4', bytes: 5 },
      },
    ]);
    await heard(transcriber);
    expect(transcriber.heard[1]?.authorization).toBeUndefined();
  });

  it('has estimated times when the service returns none, and a note says so', async () => {
    const { parts, notes } = await heard(await serve(saying('A sentence of words. '.repeat(100))), [
      piece(2, 100),
    ]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]?.startTime).toBe(100);
    expect(parts.at(-1)?.endTime).toBeCloseTo(200, 0);
    expect(parts.every(({ text }) => text.endsWith('.'))).toBe(true);
    expect(notes).toEqual(['The transcription service gave no times, so they are estimated.']);
  });

  it('is sent in the plain form, from then on, to a model that refuses the other form', async () => {
    const transcriber = await serve(({ fields }) =>
      fields.response_format === 'json'
        ? { status: 200, body: { text: 'Hello.' } }
        : { status: 400, body: { error: { message: "response_format 'verbose_json' is not compatible" } } },
    );
    expect((await heard(transcriber, [piece(1), piece(2)])).parts.map(({ text }) => text)).toEqual([
      'Hello.',
      'Hello.',
    ]);
    expect(transcriber.heard.map(({ fields }) => fields.response_format)).toEqual([
      'verbose_json',
      'json',
      'json',
    ]);
  });

  it('has no passages when it has no speech', async () => {
    expect((await heard(await serve(saying('')))).parts).toEqual([]);
  });
});

describe('a service that fails', () => {
  it('is called again after a temporary failure', async () => {
    const transcriber = await serve((_heard, number) =>
      number === 1
        ? { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '0' } }
        : { status: 200, body: { text: 'Hello.' } },
    );
    expect((await heard(transcriber)).parts[0]?.text).toBe('Hello.');
    expect(transcriber.heard).toHaveLength(2);
  });

  it.each<[string, Reply, object]>([
    ['refuses the key', refusing(401, 'bad key'), { code: 'transcription_auth', retryable: false }],
    [
      'does not know the model',
      refusing(404, 'no such model'),
      { code: 'transcription_model', retryable: false },
    ],
    [
      'does not take the recording',
      refusing(400, 'bad audio'),
      { code: 'transcription_refused', retryable: false },
    ],
    ['answers with something else', answering(200, { ok: true }), { code: 'transcription_invalid' }],
  ])('fails at once when it %s', async (_name, reply, error) => {
    const transcriber = await serve(reply);
    await expect(heard(transcriber)).rejects.toMatchObject(error);
    expect(transcriber.heard).toHaveLength(1);
  });

  it('names the setting of its model', async () => {
    await expect(heard(await serve(refusing(404, 'no')))).rejects.toThrow('MEMOIR_TRANSCRIPTION_MODEL');
  });

  it('never appears with its key in an error', async () => {
    const echoing = await serve(refusing(401, 'the key very-secret-key is wrong'));
    const error = await heard(echoing, [piece(1)], { apiKey: 'very-secret-key' }).catch(
      (one: unknown) => one,
    );
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain('very-secret-key');
  });

  it('causes a retryable failure when it is unreachable', async () => {
    const gone = await startTranscriber();
    gone.close();
    const retries = { attempts: 4, firstWaitMs: 5, longestWaitMs: 50 };
    await expect(heard(gone, [piece(1)], { retries })).rejects.toMatchObject({
      code: 'transcription_unavailable',
      retryable: true,
    });
  });

  it('causes a retryable failure when it does not answer in time', async () => {
    const silent = await serve(() => new Promise(() => undefined));
    const stop = new AbortController();
    const result = heard(silent, [piece(1)], { timeoutMs: 200 }, stop.signal);
    const refused = expect(result).rejects.toThrow();
    await until('a second attempt', () => silent.heard.length > 1);
    stop.abort(new Error('enough'));
    await refused;
  });
});

describe('a wrong address in the settings', () => {
  it('is named in the error', async () => {
    const transcriber = createTranscriber({ model: 'm', baseUrl: 'ftp://x' });
    const receiver = { parts: () => undefined, progress: () => undefined };
    await expect(transcriber.transcribe([piece(1)], receiver)).rejects.toMatchObject({
      code: 'transcription_settings',
    });
  });
});
