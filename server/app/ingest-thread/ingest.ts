// The ingest thread: the background workers, with a read-only connection. Its writes are sent to the writer thread.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openTraces } from '../../adapters/traces/open.ts';
import { readEach } from '../../domain/memories/rules/statement-readings.ts';
import type { ServedAnswer } from '../../domain/memories/served.ts';
import { createPace, finishInSlices } from '../../lib/async/steps.ts';
import { watchedByAll } from '../../lib/async/work-watch.ts';
import { stepAside } from '../../lib/threads/lower-priority.ts';
import { giveBackAtRest } from '../../lib/threads/return-memory.ts';
import { serveCalls } from '../../lib/threads/rpc.ts';
import { createLog, type Log } from '../log.ts';
import type { WriterNews } from '../writer-thread/commands.ts';
import type { ReadingCommands } from '../writer-thread/ingest-link.ts';
import {
  type BackgroundWork,
  buildWork,
  retryWork,
  startWork,
  stopWork,
  wakeWork,
} from './background-work.ts';
import type { IngestCommands, IngestNews, IngestState } from './commands.ts';
import { openMemoryReader } from './content-readers.ts';
import { loadIngestSide } from './ingest-side.ts';
import type { IngestStart } from './settings.ts';
import { createStepMeter } from './step-meter.ts';

/** No caller waits for this thread, and its heap is the largest: it is collected under a moderate load as well. */
const BUSY_AT_MOST = 0.2;

interface Running {
  work: BackgroundWork;
  close(): void | Promise<void>;
}

const ingestState = (work: BackgroundWork | undefined): IngestState => ({
  indexer: work?.indexer.state() ?? { status: 'waiting' },
  chroma: work?.index.state() ?? { status: 'starting' },
  whole: work?.whole() ?? [],
  filled: work?.filling.spaces().map((space) => space.id) ?? [],
  filling: work?.filling.state() ?? { trouble: null, stopped: false },
  slowedKeys: work?.content.slowedKeys() ?? [],
  originals: work?.content.blobs.trouble?.() ?? null,
  childRestarts: work?.content.childRestarts() ?? 0,
  trouble: null,
});

const isWriterNews = (message: unknown): message is WriterNews =>
  typeof message === 'object' && message !== null && 'event' in message;

/** Served texts mean that somebody searches, so background work lets further searches go first. */
const noteServed = ({ served, searchesFirst }: BackgroundWork, answers: readonly ServedAnswer[]): void => {
  searchesFirst.searched();
  for (const { tags, texts } of answers) served.note(tags, texts);
};

const openStepWatch = async (
  { metered, traced }: IngestStart['settings'],
  { log, tell }: { log: Log; tell(news: IngestNews): void },
) => {
  const meter = createStepMeter(metered ? (samples) => tell({ event: 'steps', samples }) : null);
  const tracer = await openTraces(traced, (problem) => log.warn(problem));
  return {
    watch: tracer === null ? meter : watchedByAll([tracer.watch, meter]),
    closeWatch: async () => tracer?.close(),
  };
};

/** The grammar loads with the first statement. */
const reading: ReadingCommands = {
  async readStatements(statements) {
    const { grammar } = await import('../../domain/memories/rules/grammar.ts');
    return finishInSlices(readEach(statements, grammar), createPace());
  },
};

const NOT_ASIDE = 'The priority of the ingest thread could not be lowered, so imports may slow searches.';

const runIngestThread = async (
  port: MessagePort,
  { settings, boot, crashed, writer }: IngestStart,
): Promise<void> => {
  let reader = openMemoryReader(settings);
  const log = createLog({ level: settings.logLevel }).child({ thread: 'ingest' });
  stepAside((error) => log.warn({ error }, NOT_ASIDE));
  let running: Running | null = null;
  writer.on('message', (message) => {
    if (!running || !isWriterNews(message)) return;
    if (message.event === 'retried') retryWork(running.work);
    else wakeWork(running.work, message.crowded);
  });
  // Messages wait at the ports meanwhile: nobody reads them yet.
  const openSide = await loadIngestSide({ settings, boot, writer, reading, log });
  serveCalls<ReadingCommands>(writer, reading);
  const tell = (news: IngestNews) => port.postMessage(news);
  const { watch, closeWatch } = await openStepWatch(settings, { log, tell });

  serveCalls<IngestCommands>(port, {
    ...reading,
    async begin(chroma) {
      const opening = openSide();
      // The embedded database is open at once, so that no news of a Chroma that moves is lost.
      const side = opening instanceof Promise ? await opening : opening;
      const work = buildWork(
        { side, settings, reader: () => reader, boot, crashed, log, watch, tell },
        chroma,
      );
      running = { work, close: side.close };
      const taken = await side.ingest.takeOver(boot, crashed);
      await startWork(work);
      return taken;
    },
    async stop() {
      if (!running) return;
      await stopWork(running.work, log);
      await closeWatch();
      await running.close();
    },
    async served(answers) {
      if (running) noteServed(running.work, answers);
    },
    reloadSpaces: async () => running?.work.filling.load(),
    async reloadReader() {
      reader = openMemoryReader(settings);
      running?.work.remembering.wake();
    },
    switched: async () => running?.work.switched(),
    chromaAt: async (url) => {
      running?.work.chromaAt(url);
      running?.work.indexer.restarted();
    },
    state: async () => ingestState(running?.work),
    space: async () => running?.work.purger.space() ?? null,
    compact: async () => running?.work.purger.compact() ?? null,
  });
};

if (!parentPort) throw new Error('ingest.ts must be started by handle.ts as a worker thread.');
giveBackAtRest({ busyAtMost: BUSY_AT_MOST });
await runIngestThread(parentPort, workerData as IngestStart);
