// Tests of the handle of the ingest thread: after the thread has ended by itself it starts again, and nothing else stops.
import { MessagePort } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { IngestNews } from '../../server/app/ingest-thread/commands.ts';
import { type IngestThread, startIngestThread } from '../../server/app/ingest-thread/handle.ts';
import type { ChromaSettings, IngestSettings } from '../../server/app/ingest-thread/settings.ts';
import type { WriterCommands } from '../../server/app/writer-thread/commands.ts';
import type { Call } from '../../server/lib/threads/rpc.ts';
import { until } from '../support/until.ts';

const place = { url: 'http://127.0.0.1:1', namespace: 'org' } as ChromaSettings;

const threads: IngestThread[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.stop();
});

const start = () => {
  const ports: MessagePort[] = [];
  const logged: string[] = [];
  const note = (_: unknown, message?: string) => void logged.push(message ?? String(_));
  const call = (async (command: string, port: unknown) => {
    if (command === 'attach' && port instanceof MessagePort) ports.push(port);
  }) as unknown as Call<WriterCommands>;
  const thread = startIngestThread({
    settings: {} as IngestSettings,
    writer: { call },
    log: { error: note, info: note },
    file: new URL('./fixtures/ingest-stand-in.ts', import.meta.url),
  });
  threads.push(thread);
  return { thread, ports, logged };
};

const runsAgain = async (thread: IngestThread) => {
  await until('the thread to run again', async () => {
    const { trouble, indexer } = await thread.state();
    return trouble === null && indexer.detail === 'started again';
  });
};

test('a thread that ended by itself starts again, gets a new way to the writer, and begins its work', async () => {
  const { thread, ports, logged } = start();
  await thread.begin(() => place);
  expect(await thread.state()).toMatchObject({ filled: [1], indexer: { detail: 'started first' } });
  thread.tell('served', [{ tags: ['crash'], texts: [] }]);
  await runsAgain(thread);
  expect(ports).toHaveLength(2);
  expect(await thread.state()).toMatchObject({ filled: [1] });
  expect(logged).toEqual([
    'The ingest thread ended by itself. It starts again after the wait; what is sent meanwhile is stored.',
    'The ingest thread runs again.',
  ]);
});

test('a state is told while the thread does not run, and a call waits until it runs', async () => {
  const { thread } = start();
  await thread.begin(() => place);
  thread.tell('served', [{ tags: ['crash'], texts: [] }]);
  await until('the end of the thread', async () => (await thread.state()).trouble !== null);
  expect(await thread.state()).toMatchObject({ trouble: 'out of memory', indexer: { status: 'waiting' } });
  await thread.call('reloadSpaces');
  expect((await thread.state()).trouble).toBeNull();
});

test('the last state is told while the thread is busy', async () => {
  const { thread } = start();
  await thread.begin(() => place);
  const before = await thread.state();
  let isBusy = true;
  const busy = thread.call('served', [{ tags: ['busy'], texts: [] }]).then(() => {
    isBusy = false;
  });
  expect(await thread.state()).toEqual(before);
  expect(isBusy).toBe(true);
  await busy;
});

test('no search relies on the index until the new thread has compared it', async () => {
  const { thread } = start();
  const news: IngestNews[] = [];
  thread.onNews((one) => news.push(one));
  await thread.begin(() => place);
  thread.tell('served', [{ tags: ['crash'], texts: [] }]);
  await runsAgain(thread);
  expect(news).toEqual([{ event: 'index', url: place.url, spaces: [] }]);
});

test('after a stop it does not start again', async () => {
  const { thread, ports } = start();
  await thread.begin(() => place);
  await thread.stop();
  await expect(thread.call('reloadSpaces')).rejects.toThrow();
  expect(ports).toHaveLength(1);
});
