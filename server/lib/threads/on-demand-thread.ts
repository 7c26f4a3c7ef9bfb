// A thread that starts at its first call, and again after it ended. It keeps the process alive only while it works.
import type { Call, CommandHandlers } from './rpc.ts';
import { type StartedThread, startThread } from './start-thread.ts';

export interface OnDemandThread<Commands extends CommandHandlers> {
  call: Call<Commands>;
  close(): Promise<void>;
}

/** `restMs`: it ends after so long without a call, and gives its memory back; undefined: it stays. */
export const onDemandThread = <Commands extends CommandHandlers>(
  file: URL,
  workerData: unknown,
  restMs?: number,
): OnDemandThread<Commands> => {
  let thread: StartedThread<Commands> | null = null;
  let running = 0;
  let rest: NodeJS.Timeout | undefined;

  const current = (): StartedThread<Commands> => {
    if (thread?.isAlive()) return thread;
    // Its waiting calls fail with the reason of its end.
    thread = startThread<Commands>(file, { workerData }, () => {});
    return thread;
  };
  const end = async (): Promise<void> => {
    const ending = thread;
    // A call that comes meanwhile starts another one.
    thread = null;
    await ending?.worker.terminate();
  };
  const begin = ({ worker }: StartedThread<Commands>): void => {
    clearTimeout(rest);
    running++;
    worker.ref();
  };
  const finish = ({ worker }: StartedThread<Commands>): void => {
    if (--running > 0) return;
    worker.unref();
    if (restMs !== undefined) rest = setTimeout(() => void end(), restMs).unref();
  };

  return {
    call: (command, ...args) => {
      const used = current();
      begin(used);
      return used.call(command, ...args).finally(() => finish(used));
    },
    async close() {
      clearTimeout(rest);
      await end();
    },
  };
};
