// The process around a local Chroma: it locks the folder, runs the server in a thread and dies with its parent.
import { Worker } from 'node:worker_threads';
import { entry } from '../../lib/entry.ts';
import { stepAside } from '../../lib/step-aside.ts';
import { lockFolder, sweepFolder } from './chroma-folder.ts';
import type { ChromaThreadData, ChromaThreadMessage } from './chroma-thread.ts';

/** What the parent is told, beside what Chroma itself prints. */
export type ChromaChildMessage =
  | { readonly kind: 'note'; readonly text: string }
  /** `final`: another start would fail in the same way. */
  | { readonly kind: 'failed'; readonly text: string; readonly final: boolean };

const [folder = '', port = '', lockWaitMs = '0'] = process.argv.slice(2);

/** How long Chroma may take to finish what it is writing: asked to stop, and when the parent is gone. */
const STOP_MS = 1_700;
const ORPHAN_MS = 500;
let serving = false;

/** Any gentler way of leaving waits for the thread, which stays inside the native call until the end. */
const die = () => process.kill(process.pid, 'SIGKILL');

const tell = (message: ChromaChildMessage): Promise<void> =>
  new Promise((sent) => {
    if (process.send === undefined) sent();
    else process.send(message, () => sent());
  });

const fail = async (text: string, final = false): Promise<void> => {
  await tell({ kind: 'failed', text, final });
  die();
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * On SIGINT Chroma finishes its requests and the thread returns, in about 10 ms; killed while it writes an index
 * file, it would crash on reading that file for ever after. Windows has no such signal.
 */
const stop = (withinMs: number): void => {
  if (!serving || process.platform === 'win32') die();
  process.kill(process.pid, 'SIGINT');
  setTimeout(die, withinMs);
};

const sweep = async (): Promise<void> => {
  try {
    const swept = sweepFolder(folder);
    if (swept > 0)
      await tell({ kind: 'note', text: `Removed ${swept} index folders of dropped collections.` });
  } catch (error) {
    // A database that cannot be read is Chroma's to report, in a moment and with more to say.
    await tell({ kind: 'note', text: `Left-over index folders were not looked for: ${messageOf(error)}` });
  }
};

const runThread = (): void => {
  const data: ChromaThreadData = { folder, port };
  const thread = new Worker(entry('./chroma-thread', import.meta.url), { workerData: data });
  let failing = false;
  const giveUp = (text: string, final: boolean) => {
    failing = true;
    void fail(text, final);
  };
  thread.on('message', (message: ChromaThreadMessage) => {
    if ('refused' in message) return giveUp(message.refused, true);
    serving = true;
    void tell({ kind: 'note', text: `Chroma runs from ${message.loaded}.` });
  });
  thread.on('error', (error) => giveUp(`Chroma's thread failed: ${messageOf(error)}`, false));
  thread.on('exit', (code) => {
    if (!failing) process.exit(code);
  });
};

/** The threads of Chroma take the priority of this one: nobody waits for what they write, and a search that asks them rests. */
const letOthersGoFirst = (): void =>
  stepAside(
    (error) => void tell({ kind: 'note', text: `Chroma has no lower priority: ${messageOf(error)}` }),
  );

const serve = async (): Promise<void> => {
  const lock = await lockFolder(folder, Number(lockWaitMs));
  // Also what keeps the lock referenced: a database object that is collected would free it.
  process.once('exit', () => lock.release());
  await sweep();
  letOthersGoFirst();
  runThread();
};

process.on('disconnect', () => stop(ORPHAN_MS));
if (!process.connected) die();
process.on('message', (message) => {
  if (message === 'stop') stop(STOP_MS);
});
// A service manager signals every process at once; here the parent decides when Chroma goes. For SIGINT there must
// be a handler before Chroma adds its own: chained to Node's default one, it would raise the signal for ever.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

serve().catch((error: unknown) => fail(messageOf(error)));
