// Audio and video over REST: transcribed by whatever service is set, found with their times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTranscriber, type Transcriber } from '../adapters/transcribe/fixtures/transcription-service.ts';
import { verifies } from '../spec/verifies.ts';
import { startMemoir } from '../support/memoir.ts';
import { fileOf, type Part, postForm } from './support/upload.ts';

const SPEECH = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'samples', 'av', 'flite.webm'));

let service: Transcriber;
beforeAll(async () => {
  service = await startTranscriber();
});
afterAll(() => service.close());

const recording: Part[] = [
  ['containerTag', 'talks'],
  ['customId', 'morning'],
  ['file', fileOf(SPEECH), 'morning.mp4'],
];

verifies(
  ['content:audio:transcribed', 'content:video:mp4', 'content:audio:no-service', 'content:place:named'],
  'sound is transcribed once a service is set: until then it says which setting to give, and sending it again is enough',
  async () => {
    const memoir = await startMemoir();
    try {
      const { id } = (await postForm(memoir, recording)).body;
      expect(await memoir.settled(id)).toMatchObject({
        status: 'failed',
        failure: {
          code: 'transcription_unavailable',
          message: expect.stringContaining('MEMOIR_TRANSCRIPTION_MODEL'),
          retryable: false,
        },
      });
      await memoir.restart({ MEMOIR_TRANSCRIPTION_MODEL: 'whisper-1', OPENAI_BASE_URL: service.baseUrl });
      expect((await postForm(memoir, recording)).body).toEqual({ id, status: 'queued' });
      expect(await memoir.settled(id)).toMatchObject({
        status: 'done',
        type: expect.stringMatching(/^(?:audio|video)$/),
        content: expect.stringContaining('Please bring your computer.'),
      });
      expect(service.heard[0]?.fields).toMatchObject({ model: 'whisper-1' });
      const asked = {
        q: 'bring your computer',
        containerTag: 'talks',
        searchMode: 'documents',
        threshold: 0,
      };
      const { body } = await memoir.ask<{ results: { metadata: { startTime: number } }[] }>(
        'POST',
        '/v4/search',
        asked,
      );
      expect(body.results[0]?.metadata).toMatchObject({ startTime: 0, endTime: 4 });
    } finally {
      await memoir.close();
    }
  },
  { timeoutMs: 60_000 },
);
