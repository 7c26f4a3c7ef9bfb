// A thread that starts at its first call, and again after it ended. It keeps the process alive only while it works.
import { backgroundPause } from '../async/wait.ts';
import type { Call, CommandHandlers } from './rpc.ts';
import { type StartedThread, startThread } from './start-thread.ts';

export interface OnDemandThread<Commands extends CommandHandlers> {
  call: Call<Commands>;
  close(): Promise<void>;
}

/** A thread that is ended in the midst of native code may end the whole process, so its calls are waited for. */
const LONGEST_CALL_MS = 10_000;

interface Working<Commands extends CommandHandlers> extends StartedThread<Commands> {
  readonly calls: Set<Promise<unknown>>;
}

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
    thread = { ...startThread<Commands>(file, { workerData }, () => {}), calls: new Set() };
    return thread;
  };
  const end = async (): Promise<void> => {
    const ending = thread;
    // A call that comes meanwhile starts another one.
    thread = null;
    if (ending === null) return;
    await Promise.race([Promise.allSettled(ending.calls), backgroundPause(LONGEST_CALL_MS)]);
    await ending.worker.terminate();
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
