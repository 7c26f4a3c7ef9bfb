// A thread for native code. It starts at its first call, and again after it ended, keeps the process alive only while it works,
// and ends itself between two steps: a thread that another one ends in the midst of native code can end the whole process.
import type { MessagePort } from 'node:worker_threads';
import { backgroundPause } from '../async/wait.ts';
import { type Call, type CommandHandlers, serveCalls } from './rpc.ts';
import { type StartedThread, startThread } from './start-thread.ts';

export interface OnDemandThread<Commands extends CommandHandlers> {
  call: Call<Commands>;
  /** Ends it after the calls under way. */
  close(): Promise<void>;
}

/** Sent to the thread. */
const END = 'end';

/** For the file of such a thread. Its commands give way between their steps, so that the end is heard. */
export const serveOnDemand = <Commands extends CommandHandlers>(
  port: MessagePort,
  handlers: Commands,
): void => {
  serveCalls<Commands>(port, handlers);
  port.on('message', (message) => {
    if (message === END) process.exit();
  });
};

/** The calls under way are waited for so long, and then the step under way. */
const LONGEST_CALL_MS = 10_000;
const LONGEST_STEP_MS = 10_000;

interface Working<Commands extends CommandHandlers> extends StartedThread<Commands> {
  readonly calls: Set<Promise<unknown>>;
}

/** The threads that this thread started and that run. */
const running = new Set<StartedThread<CommandHandlers>>();

/** Its calls under way fail. */
const endBetweenSteps = async ({ worker, isAlive }: StartedThread<CommandHandlers>): Promise<void> => {
  if (!isAlive()) return;
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage(END);
  await Promise.race([exited, backgroundPause(LONGEST_STEP_MS)]);
  if (isAlive()) await worker.terminate();
};

/** Before this thread ends, which ends all that it started. */
export const endOnDemandThreads = async (): Promise<void> => {
  await Promise.all([...running].map(endBetweenSteps));
};

/** `restMs`: it ends after so long without a call, and gives its memory back; undefined: it stays. */
export const onDemandThread = <Commands extends CommandHandlers>(
  file: URL,
  workerData: unknown,
  restMs?: number,
): OnDemandThread<Commands> => {
  let thread: Working<Commands> | null = null;
  let rest: NodeJS.Timeout | undefined;

  const current = (): Working<Commands> => {
    if (thread?.isAlive()) return thread;
    // Its waiting calls fail with the reason of its end.
    const started = startThread<Commands>(file, { workerData }, () => running.delete(started));
    running.add(started);
    thread = { ...started, calls: new Set() };
    return thread;
  };
  const end = async (): Promise<void> => {
    const ending = thread;
    // A call that comes meanwhile starts another one.
    thread = null;
    if (ending === null) return;
    await Promise.race([Promise.allSettled(ending.calls), backgroundPause(LONGEST_CALL_MS)]);
    ending.worker.ref();
    await endBetweenSteps(ending);
  };
  const finish = (used: Working<Commands>, call: Promise<unknown>): void => {
    used.calls.delete(call);
    if (used.calls.size > 0) return;
    used.worker.unref();
    if (used === thread && restMs !== undefined) rest = setTimeout(() => void end(), restMs).unref();
  };

  return {
    call: (command, ...args) => {
      const used = current();
      clearTimeout(rest);
      used.worker.ref();
      const call = used.call(command, ...args);
      used.calls.add(call);
      return call.finally(() => finish(used, call));
    },
    async close() {
      clearTimeout(rest);
      await end();
    },
  };
};
