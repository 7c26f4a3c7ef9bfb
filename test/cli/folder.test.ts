// Commands where no server runs: they open the data folder themselves.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEmbeddingsServer } from '../adapters/embed/embeddings-server.ts';
import { answerOf, newPlace, type Place, run, serve } from './memoir-process.ts';

// Each test starts several processes, and machines that build have other work as well.
vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

test('add makes the folder, shows its key once, and waits until the text can be searched', async () => {
  const first = await run(['add', 'Ada prefers tea.', '--json'], place);
  expect(first.code).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ status: 'done' });
  expect(first.stderr).toMatch(
    /^Created the data folder .*\.memoir\. Its API key, shown only now: sm_\w+\n$/,
  );

  const second = await run(['search', 'What does Ada prefer?'], place);
  expect(second).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Ada prefers tea') });
});

test('commands at the same time take turns', async () => {
  const texts = ['one apple', 'two pears'];
  const ended = await Promise.all(texts.map((text) => run(['add', text, '--json'], place)));
  expect(ended.map(({ code, stderr }) => [code, stderr.replace(/^Created the data folder.*\n/, '')])).toEqual(
    texts.map(() => [0, '']),
  );
  const status = await answerOf(['status'], place);
  expect(status).toMatchObject({ url: null, counts: { documents: 2, queued: 0 } });
});

test('a command and a server that start at once wait for each other', async () => {
  const server = serve(place);
  const added = await answerOf(['add', 'The server was just starting.', '--wait'], place);
  expect(added.status).toBe('done');
  expect(await (await server).stop()).toBe(0);
});

test('doctor names the part that fails and ends with 1', async () => {
  writeFileSync(join(place.cwd, 'file'), '');
  const { code, stdout } = await run(['doctor', '--data-dir', 'file/data', '--json'], place);
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as {
    error: string;
    ok: boolean;
    findings: { part: string; ok: boolean }[];
  };
  expect(report.error).toMatch(/^folder failed: .*cannot be written/);
  expect(report.findings.filter(({ ok }) => !ok).map(({ part }) => part)).toEqual(['folder']);

  const settings = await run(['doctor'], { ...place, env: { CHROMA_URL: 'nowhere' } });
  expect(settings.code).toBe(1);
  expect(settings.stderr).toContain('settings failed: CHROMA_URL cannot be "nowhere"');
});

test('with another embedder the server says so and serves; reindex changes over, and all is found', {
  timeout: 60_000,
}, async () => {
  const embeddings = await startEmbeddingsServer();
  const env = { MEMOIR_EMBEDDING_MODEL: 'counted-words', OPENAI_BASE_URL: embeddings.baseUrl };
  await answerOf(['add', 'The ferry to Corfu leaves at noon.'], place);
  const server = await serve({ ...place, env });
  try {
    expect((await answerOf(['search', 'ferry to Corfu'], place)).total).toBe(1);
    const { code, stdout } = await run(['reindex'], place);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done: searches now use openai counted-words.\n' });
    expect((await answerOf(['search', 'ferry to Corfu', '--threshold', '0'], place)).total).toBe(1);
    expect(server.stderr()).toContain('Note: embedder is degraded');
    expect(server.stderr()).toContain('run memoir reindex');
    expect(await server.stop()).toBe(0);
  } finally {
    await server.stop('SIGKILL');
    await embeddings.close();
  }
});
