// The process around a local Chroma: it locks the folder, runs the server in a thread and dies with its parent.
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../../lib/failures.ts';
import { entry } from '../../../../lib/threads/entry.ts';
import { stepAside } from '../../../../lib/threads/lower-priority.ts';
import { lockFolder, sweepFolder } from './chroma-folder.ts';
import type { ChromaThreadData, ChromaThreadMessage } from './server-thread.ts';

/** Messages to the parent process, beside the lines that Chroma prints. */
export type ChromaChildMessage =
  | { readonly kind: 'note'; readonly text: string }
  /** `final`: another start would fail in the same way. */
  | { readonly kind: 'failed'; readonly text: string; readonly final: boolean };

const [folder = '', port = '', lockWaitMs = '0'] = process.argv.slice(2);

/** The time that Chroma gets to finish its writes: after a request to stop, and after the parent has died. */
const STOP_MS = 1_700;
const ORPHAN_MS = 500;
let serving = false;

/** Any gentler exit waits for the thread, which stays inside the native call until the end. */
const killOwnProcess = () => process.kill(process.pid, 'SIGKILL');

const tellParent = (message: ChromaChildMessage): Promise<void> =>
  new Promise((sent) => {
    if (process.send === undefined) sent();
    else process.send(message, () => sent());
  });

const failForGood = async (text: string, final = false): Promise<void> => {
  await tellParent({ kind: 'failed', text, final });
  killOwnProcess();
};

/**
 * On SIGINT Chroma finishes its requests and the thread returns, in about 10 ms; killed while it writes an index
 * file, it would crash on reading that file for ever after. Windows has no such signal.
 */
const stopChroma = (withinMs: number): void => {
  if (!serving || process.platform === 'win32') killOwnProcess();
  process.kill(process.pid, 'SIGINT');
  setTimeout(killOwnProcess, withinMs);
};

const sweepLeftOvers = async (): Promise<void> => {
  try {
    const swept = sweepFolder(folder);
    if (swept > 0)
      await tellParent({ kind: 'note', text: `Removed ${swept} index folders of dropped collections.` });
  } catch (error) {
    // Chroma itself reports an unreadable database, with more detail.
    await tellParent({
      kind: 'note',
      text: `Left-over index folders were not looked for: ${messageOf(error)}`,
    });
  }
};

const runThread = (): void => {
  const data: ChromaThreadData = { folder, port };
  const thread = new Worker(entry('./server-thread', import.meta.url), { workerData: data });
  let failing = false;
  const giveUp = (text: string, final: boolean) => {
    failing = true;
    void failForGood(text, final);
  };
  thread.on('message', (message: ChromaThreadMessage) => {
    if ('refused' in message) return giveUp(message.refused, true);
    serving = true;
    void tellParent({ kind: 'note', text: `Chroma runs from ${message.loaded}.` });
  });
  thread.on('error', (error) => giveUp(`Chroma's thread failed: ${messageOf(error)}`, false));
  thread.on('exit', (code) => {
    if (!failing) process.exit(code);
  });
};

/** Chroma's threads inherit this priority: no caller waits for their writes, and a search that queries them is idle meanwhile. */
const letOthersGoFirst = (): void =>
  stepAside(
    (error) => void tellParent({ kind: 'note', text: `Chroma has no lower priority: ${messageOf(error)}` }),
  );

const serveChroma = async (): Promise<void> => {
  const lock = await lockFolder(folder, Number(lockWaitMs));
  // Also what keeps the lock referenced: a database object that is collected would free it.
  process.once('exit', () => lock.release());
  await sweepLeftOvers();
  letOthersGoFirst();
  runThread();
};

process.on('disconnect', () => stopChroma(ORPHAN_MS));
if (!process.connected) killOwnProcess();
process.on('message', (message) => {
  if (message === 'stop') stopChroma(STOP_MS);
});
// A service manager signals every process at once; here the parent decides when Chroma goes. For SIGINT there must
// be a handler before Chroma adds its own: chained to Node's default one, it would raise the signal for ever.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

serveChroma().catch((error: unknown) => failForGood(messageOf(error)));
