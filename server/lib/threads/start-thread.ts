// Starts a worker thread with typed calls, and reports its end once.
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type Call, type CallsOptions, type CommandHandlers, callsOver } from './rpc.ts';

export interface StartedThread<Commands extends CommandHandlers> {
  worker: Worker;
  call: Call<Commands>;
  /** False once it has ended. */
  isAlive(): boolean;
}

/** `ended` is called once, however the thread ends; its waiting calls fail with the reason. */
export const startThread = <Commands extends CommandHandlers>(
  file: URL,
  { together = false, ...options }: WorkerOptions & CallsOptions,
  ended: (reason: Error) => void,
): StartedThread<Commands> => {
  const worker = new Worker(file, options);
  const calls = callsOver<Commands>(worker, { together });
  let alive = true;
  const end = (reason: Error): void => {
    if (!alive) return;
    alive = false;
    calls.fail(reason);
    ended(reason);
  };
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`The thread ended with code ${code}.`)));
  return { worker, call: calls.call, isAlive: () => alive };
};
