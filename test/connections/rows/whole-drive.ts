// The life of a connected drive of full size, and what others notice of its first sync.

import { startThread } from '../../../server/lib/threads/start-thread.ts';
import { median, quantile } from '../../bench/support/numbers.ts';
import { textOf } from '../../bench/support/texts.ts';
import { until } from '../../crash/api.ts';
import { count } from '../../crash/sql.ts';
import { timePasses } from '../../support/until.ts';
import { contentMarks, differenceOf, type FilledDrive, fillDrive, storedUnder } from '../support/contents.ts';
import type { SearchedNotes, SearchingCommands } from '../support/searching-thread.ts';
import {
  connectDrive,
  type SyncedServer,
  shown,
  startSyncedServer,
  syncAgain,
  synced,
} from '../support/synced-server.ts';
import { hiddenDocuments, keptDocuments, removedUpstream } from './removals.ts';
import { atMost, type ConnectionRow, exactly, type Figure, type Sizes, seen, timeAtMost } from './row.ts';

const SEARCHING_THREAD = new URL('../support/searching-thread.ts', import.meta.url);
const TAG = 'whole-drive';
const OTHERS = 200;
const FEW_OTHERS = 5;
const CHARACTERS = 1200;
const FIRST_OTHER = 1_000_000;
const IDLE_MS = 15_000;
const ADDS_ALONE = 10;
const ADD_PAUSE_MS = 1_500;

const fillOthers = async ({ ask }: SyncedServer, others: number): Promise<void> => {
  for (let n = 0; n < others; n++)
    await ask('POST', '/v3/documents', {
      content: textOf(FIRST_OTHER + n, CHARACTERS),
      containerTag: 'others',
    });
};

/** The milliseconds until a document of another tag is `done`. */
const addTime = async ({ ask }: SyncedServer, n: number): Promise<number> => {
  const began = performance.now();
  const content = textOf(2_000_000 + n, CHARACTERS);
  const { body } = await ask<{ id: string }>('POST', '/v3/documents', { content, containerTag: 'others' });
  await until('the document of another tag', 120_000, async () => {
    const { body: document } = await ask<{ status: string }>('GET', `/v3/documents/${body.id}`);
    return document.status === 'done';
  });
  return performance.now() - began;
};

const addTimes = async (
  server: SyncedServer,
  from: number,
  over: (done: number) => boolean,
): Promise<number[]> => {
  const times: number[] = [];
  while (!over(times.length)) {
    times.push(await addTime(server, from + times.length));
    await timePasses(ADD_PAUSE_MS, 'a person adds now and then');
  }
  return times;
};

interface Polls {
  unequal: number;
  polls: number;
  mostWaiting: number;
}

/** Looks at the counts again and again, as a person would. */
const pollCounts = async (server: SyncedServer, id: string, over: () => boolean): Promise<Polls> => {
  const polls: Polls = { unequal: 0, polls: 0, mostWaiting: 0 };
  while (!over()) {
    const { found, done, waiting, skipped, failed } = (await shown(server, id)).progress;
    polls.polls += 1;
    if (found !== done + waiting + skipped + failed) polls.unequal += 1;
    const queued = server.read((query) =>
      count(
        query,
        "select count(*) as n from documents where connection is not null and deleted = 0 and step not in ('done', 'failed')",
      ),
    );
    polls.mostWaiting = Math.max(polls.mostWaiting, queued);
    await timePasses(250, 'a person looks now and then');
  }
  return polls;
};

const MOST_WAITING = 200;

const measureFirst = async (
  server: SyncedServer,
  { files, folders, measured }: Sizes,
): Promise<{ id: string; filled: FilledDrive; figures: Figure[] }> => {
  await fillOthers(server, measured ? OTHERS : FEW_OTHERS);
  await until(
    'the others',
    120_000,
    async () =>
      server.read((query) => count(query, "select count(*) as n from documents where step <> 'done'")) === 0,
  );
  const searches = startThread<SearchingCommands>(SEARCHING_THREAD, {}, () => undefined);
  const notes: SearchedNotes = {
    ...{ url: server.running()?.url ?? '', key: server.folder.key, tag: 'others' },
    ...{ first: FIRST_OTHER, texts: measured ? OTHERS : FEW_OTHERS, characters: CHARACTERS },
  };
  await searches.call('begin', notes);
  await timePasses(measured ? IDLE_MS : 200, 'searches of an idle server');
  const idle = await searches.call('end');
  const alone = await addTimes(server, 0, (done) => done >= (measured ? ADDS_ALONE : 1));
  const filled = fillDrive(server.drive, { files, folders });
  const before = server.drive.requests.length;
  const began = performance.now();
  const id = await connectDrive(server, TAG);
  let over = false;
  const polling = pollCounts(server, id, () => over);
  const adding = addTimes(server, 1_000, () => over);
  await searches.call('begin', notes);
  await synced(server, id).finally(() => {
    over = true;
  });
  const seconds = (performance.now() - began) / 1000;
  const requests = server.drive.requests.length - before;
  const [polls, meanwhile, busy] = await Promise.all([polling, adding, searches.call('end')]);
  await searches.worker.terminate();
  const { progress } = await shown(server, id);
  const difference = differenceOf(storedUnder(server, TAG), filled.expectedUnder(TAG));
  const [idleP95, busyP95] = [quantile(idle, 0.95), quantile(busy, 0.95)];
  return {
    ...{ id, filled },
    figures: [
      exactly('documents done', progress.done, files),
      exactly(
        'missing, foreign or doubled',
        JSON.stringify(difference),
        '{"missing":0,"foreign":0,"doubled":0}',
      ),
      atMost('requests to the source', requests, files + 40),
      exactly(`polls of ${polls.polls} with counts that do not add up`, polls.unequal, 0),
      atMost('documents queued at once', polls.mostWaiting, MOST_WAITING),
      seen('seconds', seconds),
      seen('searches at once, idle p95 in ms', idleP95),
      seen('searches meanwhile, p95 in ms', busyP95),
      timeAtMost('searches meanwhile against idle', busyP95 / idleP95, 2),
      seen('add of another tag alone, median ms', median(alone)),
      seen('add of another tag meanwhile, median ms', median(meanwhile)),
      seen('the slowest of them, ms', Math.max(...meanwhile)),
      timeAtMost('add of another tag meanwhile against alone', median(meanwhile) / median(alone), 2),
    ],
  };
};

const measureUnchanged = async (server: SyncedServer, id: string): Promise<Figure[]> => {
  const { drive } = server;
  const [before, marks] = [drive.requests.length, contentMarks(server)];
  const run = await syncAgain(server, id, TAG);
  const asked = drive.requests.slice(before);
  return [
    atMost('requests of a sync without a change', asked.length, 2),
    exactly('its reads', asked.filter(({ url }) => url.searchParams.get('alt') === 'media').length, 0),
    exactly('its documents', run.itemsAdded + run.itemsUpdated + run.itemsRemoved, 0),
    exactly('content', contentMarks(server) === marks ? 'unchanged' : 'changed', 'unchanged'),
  ];
};

/** The life of one drive: its first sync, one without a change, removals upstream, and the end of its connection. */
export const wholeDrive: ConnectionRow = {
  name: 'drive',
  requirements: [1, 2, 6, 8, 9, 20],
  async run(sizes, say) {
    await using server = await startSyncedServer();
    const { id, filled, figures } = await measureFirst(server, sizes);
    say('The first sync has ended.');
    const unchanged = await measureUnchanged(server, id);
    const gone = await removedUpstream(server, { id, tag: TAG, filled, most: sizes.removed });
    say('Removed files are gone.');
    const kept = await keptDocuments(server, { id, tag: TAG, words: [1, 2, 3].map((n) => sizes.files - n) });
    say('Another connection took the documents over.');
    const hidden = await hiddenDocuments(server, { tag: TAG, filled });
    return [...figures, ...unchanged, ...gone, ...kept, ...hidden];
  },
};
