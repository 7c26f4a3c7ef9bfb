// One child process at a time: started on first use, used again while it is healthy, let go when there is nothing to do.
import { IngestError } from '../../errors.ts';
import { type Asked, ask } from './ask.ts';
import { type Child, launch } from './launch.ts';
import type { ExtractLimits } from './port.ts';
import type { Done, Failure } from './protocol.ts';
import { residentMb } from './resident.ts';

export interface SlotOptions {
  readonly limits: ExtractLimits;
  /** Parsers leak a little: after so many jobs a new process starts. */
  readonly jobsPerChild: number;
  /** A process that has nothing to do holds memory for nothing. */
  readonly idleMs: number;
}

export interface Slot {
  /** One job at a time. */
  run(asked: Omit<Asked, 'limits'>): Promise<Done>;
  close(): Promise<void>;
}

/** A process that still holds more than this share of its limit is not used again. */
const TIRED_SHARE = 0.5;

export function createSlot({ limits, jobsPerChild, idleMs }: SlotOptions): Slot {
  let child: Child | null = null;
  let jobs = 0;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Child => {
    const started = launch(limits);
    jobs = 0;
    void started.ended.then(() => {
      if (child === started) child = null;
    });
    return started;
  };

  const letGo = (): void => {
    child?.kill();
    child = null;
  };

  const rest = (used: Child): void => {
    const held = residentMb(used.process.pid ?? 0) ?? 0;
    if (jobs >= jobsPerChild || held > limits.residentMb * TIRED_SHARE) letGo();
    else {
      used.busy(false);
      idle = setTimeout(letGo, idleMs).unref();
    }
  };

  return {
    async run(asked) {
      clearTimeout(idle);
      child ??= start();
      const used = child;
      used.busy(true);
      jobs++;
      try {
        const answer = await ask(used, { ...asked, limits });
        rest(used);
        return doneOf(answer);
      } catch (error) {
        if (child === used && used.process.killed) child = null;
        throw error;
      }
    },

    async close() {
      clearTimeout(idle);
      const last = child;
      last?.busy(true);
      letGo();
      await last?.ended;
    },
  };
}

function doneOf(answer: Done | Failure): Done {
  if (!('code' in answer)) return answer;
  const { code, message, retryable, detail } = answer;
  throw new IngestError(code, message, {
    retryable,
    ...(detail === undefined ? {} : { cause: new Error(detail) }),
  });
}
