// The ingest thread: the only writing connection, and the background workers.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openWritingSide } from '../../adapters/store/writing-side/ingest-store.ts';
import { createRelating } from '../../domain/memories/relating.ts';
import { createRulesReader } from '../../domain/memories/rules/reader.ts';
import { stepAside } from '../../lib/threads/lower-priority.ts';
import { giveBackAtRest } from '../../lib/threads/return-memory.ts';
import { serveCalls } from '../../lib/threads/rpc.ts';
import { createLog } from '../log.ts';
import { type BackgroundWork, buildWork, startWork, stopWork, wakeWork } from './background-work.ts';
import type { IngestCommands, IngestNews, IngestState } from './commands.ts';
import type { IngestSettings } from './settings.ts';

const stateOf = (work: BackgroundWork | null): IngestState => ({
  indexer: work?.indexer.state() ?? { status: 'waiting' },
  chroma: work?.index.state() ?? { status: 'starting' },
  filled: work?.filling.spaces().map((space) => space.id) ?? [],
  filling: work?.filling.state() ?? { trouble: null, stopped: false },
  slowedKeys: work?.content.slowedKeys() ?? [],
});

const runIngestThread = (port: MessagePort, settings: IngestSettings): void => {
  const log = createLog({ level: settings.logLevel }).child({ thread: 'ingest' });
  stepAside((error) =>
    log.warn(
      { error },
      'The priority of the ingest thread could not be lowered, so imports may slow searches.',
    ),
  );
  let work: BackgroundWork | null = null;
  const writing = openWritingSide({
    file: settings.file,
    now: Date.now,
    groupCommit: settings.groupCommit,
    relating: createRelating(createRulesReader()),
    changed() {
      if (work) wakeWork(work);
    },
  });
  const tell = (news: IngestNews) => port.postMessage(news);

  serveCalls<IngestCommands>(port, {
    ...writing.commands,
    async begin(chroma) {
      const taken = await writing.ingest.takeOver(settings.boot);
      work = buildWork({ writing, settings, log, tell }, chroma);
      await startWork(work);
      return taken;
    },
    async stop() {
      if (work) await stopWork(work, log);
      await writing.close();
    },
    served: async (tags, texts) => work?.served.note(tags, texts),
    reloadSpaces: async () => work?.filling.load(),
    switched: async () => work?.switched(),
    chromaAt: async (url) => {
      work?.chromaAt(url);
      work?.indexer.restarted();
    },
    state: async () => stateOf(work),
    space: async () => work?.purger.space() ?? null,
    compact: async () => work?.purger.compact() ?? null,
  });
};

if (!parentPort) throw new Error('ingest.ts must be started by handle.ts as a worker thread.');
giveBackAtRest();
runIngestThread(parentPort, workerData as IngestSettings);
