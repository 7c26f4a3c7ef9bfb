// Transcription against a stand-in that speaks the protocol.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type {
  ContentPart,
  ReadProgress,
  TranscriptionSettings,
} from '../../../../server/adapters/extract/port.ts';
import type { AudioPiece } from '../../../../server/adapters/extract/protocol.ts';
import { transcribe } from '../../../../server/adapters/extract/transcribe/transcribe.ts';
import { type Reply, startTranscriber, type Transcriber } from '../fixtures/transcriber.ts';

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

const piece = (number: number, seconds = 60): AudioPiece => {
  const name = `part-${number}.m4a`;
  const file = join(folder, name);
  writeFileSync(file, 'sound');
  return { file, name, mimeType: 'audio/mp4', startTime: (number - 1) * seconds, endTime: number * seconds };
};

async function heard(
  transcriber: Transcriber,
  pieces: readonly AudioPiece[] = [piece(1)],
  settings: Partial<TranscriptionSettings> = {},
  signal?: AbortSignal,
) {
  const parts: ContentPart[] = [];
  const progress: ReadProgress[] = [];
  const notes = await transcribe(
    pieces,
    { model: 'whisper-1', baseUrl: transcriber.baseUrl, ...settings },
    { parts: (found) => void parts.push(...found), progress: (told) => progress.push(told), signal },
  );
  return { parts, progress, notes };
}

const answering =
  (status: number, body: unknown): Reply =>
  () => ({ status, body });
const saying = (text: string): Reply => answering(200, { text });
const refusing = (status: number, message: string): Reply => answering(status, { error: { message } });

describe('a recording in pieces', () => {
  it('becomes passages that know when they begin in the whole', async () => {
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

  it('is sent as the protocol has it', async () => {
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

  it('has its times estimated where the service gives none, and says so', async () => {
    const { parts, notes } = await heard(await serve(saying('A sentence of words. '.repeat(100))), [
      piece(2, 100),
    ]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]?.startTime).toBe(100);
    expect(parts.at(-1)?.endTime).toBeCloseTo(200, 0);
    expect(parts.every(({ text }) => text.endsWith('.'))).toBe(true);
    expect(notes).toEqual(['The transcription service gave no times, so they are estimated.']);
  });

  it('asks in the plain form of a model that knows no other, and remembers', async () => {
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

  it('in which nothing is said holds no text', async () => {
    await expect(heard(await serve(saying('')))).rejects.toMatchObject({ code: 'no_text_found' });
  });
});

describe('a service that fails', () => {
  it('is asked again when that may help', async () => {
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
  ])('and %s says so at once', async (_name, reply, error) => {
    const transcriber = await serve(reply);
    await expect(heard(transcriber)).rejects.toMatchObject(error);
    expect(transcriber.heard).toHaveLength(1);
  });

  it('names the setting of its model', async () => {
    await expect(heard(await serve(refusing(404, 'no')))).rejects.toThrow('MEMOIR_TRANSCRIPTION_MODEL');
  });

  it('never has its key repeated', async () => {
    const echoing = await serve(refusing(401, 'the key very-secret-key is wrong'));
    const error = await heard(echoing, [piece(1)], { apiKey: 'very-secret-key' }).catch(
      (one: unknown) => one,
    );
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain('very-secret-key');
  });

  it('that is gone may be back later', async () => {
    const gone = await startTranscriber();
    gone.close();
    const signal = AbortSignal.timeout(15_000);
    await expect(heard(gone, [piece(1)], {}, signal)).rejects.toMatchObject({
      code: 'transcription_unavailable',
      retryable: true,
    });
  }, 20_000);

  it('that does not answer in time may do so later', async () => {
    const silent = await serve(() => new Promise(() => undefined));
    const stop = new AbortController();
    const giveUp = setTimeout(() => stop.abort(new Error('enough')), 1_500);
    await expect(heard(silent, [piece(1)], { timeoutMs: 200 }, stop.signal)).rejects.toThrow();
    expect(silent.heard.length).toBeGreaterThan(1);
    clearTimeout(giveUp);
  });
});

describe('without a service', () => {
  it('the setting to give is named', async () => {
    const reading = transcribe([piece(1)], undefined, { parts: () => undefined, progress: () => undefined });
    await expect(reading).rejects.toMatchObject({
      code: 'transcription_unavailable',
      retryable: false,
      message: expect.stringContaining('Set MEMOIR_TRANSCRIPTION_MODEL'),
    });
  });

  it('an address that is none is told apart', async () => {
    const settings = { model: 'm', baseUrl: 'ftp://x' };
    const reading = transcribe([piece(1)], settings, { parts: () => undefined, progress: () => undefined });
    await expect(reading).rejects.toMatchObject({ code: 'transcription_settings' });
  });
});
