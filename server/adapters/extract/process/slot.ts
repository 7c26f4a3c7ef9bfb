// A slot for one child process: started on first use, reused while it is healthy, ended when it is idle.
import { IngestError } from '../../../core/errors.ts';
import type { ExtractLimits } from '../port.ts';
import type { Done, Failure } from '../protocol.ts';
import { type Child, launchChild } from './launch.ts';
import { residentMb } from './resident-memory.ts';
import { type RunningJob, runJob } from './run-job.ts';

export interface SlotOptions {
  readonly limits: ExtractLimits;
  /** Parsers leak a little: after this number of jobs a new process starts. */
  readonly jobsPerChild: number;
  /** An idle process holds memory for nothing. */
  readonly idleMs: number;
}

export type SlotJob = Omit<RunningJob, 'limits'>;

export interface Slot {
  /** One job at a time. */
  run(job: SlotJob): Promise<Done>;
  close(): Promise<void>;
}

/** A process that still holds more than this share of its limit is not reused. */
const REUSE_SHARE = 0.5;

export const createSlot = ({ limits, jobsPerChild, idleMs }: SlotOptions): Slot => {
  let child: Child | null = null;
  let jobs = 0;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Child => {
    const started = launchChild(limits);
    jobs = 0;
    void started.ended.then(() => {
      if (child === started) child = null;
    });
    return started;
  };

  const endChild = (): void => {
    child?.kill();
    child = null;
  };

  const rest = (used: Child): void => {
    const held = residentMb(used.process.pid ?? 0) ?? 0;
    if (jobs >= jobsPerChild || held > limits.residentMb * REUSE_SHARE) endChild();
    else {
      used.busy(false);
      idle = setTimeout(endChild, idleMs).unref();
    }
  };

  return {
    async run(job) {
      clearTimeout(idle);
      child ??= start();
      const used = child;
      used.busy(true);
      jobs++;
      try {
        const answer = await runJob(used, { ...job, limits });
        rest(used);
        return doneOrThrow(answer);
      } catch (error) {
        if (child === used && used.process.killed) child = null;
        throw error;
      }
    },

    async close() {
      clearTimeout(idle);
      const last = child;
      last?.busy(true);
      endChild();
      await last?.ended;
    },
  };
};

const doneOrThrow = (answer: Done | Failure): Done => {
  if (!('code' in answer)) return answer;
  const { code, message, retryable, detail } = answer;
  throw new IngestError(code, message, {
    retryable,
    ...(detail === undefined ? {} : { cause: new Error(detail) }),
  });
};
