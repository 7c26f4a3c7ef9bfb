// A slot for one child process: started on first use, reused while it is healthy, ended when it is idle.
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IngestError } from '../../../core/errors.ts';
import { residentMb } from '../../../lib/resident-memory.ts';
import type { ExtractLimits } from '../port.ts';
import type { ChildJob, Done, Failure } from '../protocol.ts';
import { type ChildFolders, clearFolders, handOver, openChildFolders, takePieces } from './child-folders.ts';
import { type Child, launchChild } from './launch.ts';
import { type JobOcr, type RunningJob, runJob } from './run-job.ts';

export interface SlotOptions {
  readonly limits: ExtractLimits;
  /**
   * Parsers leak a little, so a new process starts after this number of jobs. Each start holds the whole server up for a
   * moment.
   */
  readonly jobsPerChild: number;
  /** An idle process holds memory for nothing. */
  readonly idleMs: number;
  /** A folder of this slot alone. */
  readonly folder: string;
  readonly ocr: JobOcr;
}

export interface SlotJob extends Pick<RunningJob, 'listener' | 'signal'> {
  readonly job: ChildJob;
  /** The folder in which pieces of sound are kept after the job. */
  readonly pieces: string;
}

export interface Slot {
  /** One job at a time. */
  run(job: SlotJob): Promise<Done>;
  /** The processes that were started in the place of one that failed. */
  restarts(): number;
  close(): Promise<void>;
}

/** A process that still holds more than this share of its limit is not reused. */
const REUSE_SHARE = 0.5;
/** For each engine of OCR beyond the first, and the page that it reads. */
const ENGINE_MB = 150;

/** The process of a slot between two jobs. */
const createKeptChild = ({ limits, jobsPerChild, idleMs }: SlotOptions, folders: ChildFolders) => {
  let child: Child | null = null;
  let jobs = 0;
  let hasFailed = false;
  let restarts = 0;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Child => {
    const started = launchChild(limits, folders);
    jobs = 0;
    if (hasFailed) restarts += 1;
    hasFailed = false;
    void started.ended.then(() => {
      if (child !== started) return;
      child = null;
      hasFailed = true;
    });
    return started;
  };

  const end = (): void => {
    child?.kill();
    child = null;
  };

  return {
    restarts: () => restarts,
    take(): Child {
      clearTimeout(idle);
      child ??= start();
      child.busy(true);
      jobs++;
      return child;
    },
    rest(used: Child): void {
      const held = residentMb(used.process.pid ?? 0) ?? 0;
      if (used.process.killed || jobs >= jobsPerChild || held > limits.residentMb * REUSE_SHARE) end();
      else {
        used.busy(false);
        idle = setTimeout(end, idleMs).unref();
      }
    },
    /** Remains of a failed parser must not reach the next content. */
    fail(used: Child): void {
      if (child === used) end();
      hasFailed = true;
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      const last = child;
      last?.busy(true);
      end();
      await last?.ended;
    },
  };
};

export const createSlot = (options: SlotOptions): Slot => {
  const { limits: each, folder, ocr } = options;
  const limits = { ...each, residentMb: each.residentMb + (ocr.workers - 1) * ENGINE_MB };
  const folders = openChildFolders(folder, ocr.models);
  const kept = createKeptChild({ ...options, limits }, folders);

  const runInChild = async (job: RunningJob): Promise<Done> => {
    const used = kept.take();
    try {
      const done = doneOrThrow(await runJob(used, job));
      kept.rest(used);
      return done;
    } catch (error) {
      kept.fail(used);
      throw error;
    }
  };

  return {
    run: (job) => withHandedOver(folders, job, (handed) => runInChild({ ...handed, limits, ocr })),
    restarts: kept.restarts,
    close: kept.close,
  };
};

/** The child gets the content in its own folder, and what it wrote there is taken away before the next job. */
const withHandedOver = async (
  folders: ChildFolders,
  { job, pieces, ...rest }: SlotJob,
  run: (job: Omit<RunningJob, 'limits' | 'ocr'>) => Promise<Done>,
): Promise<Done> => {
  const name = randomUUID();
  const scratch = join(folders.output, name);
  try {
    if (job.text !== undefined)
      return await run({ ...rest, job, scratch, bytes: Buffer.byteLength(job.text) });
    const file = await handOver(job.file, folders, name);
    const { size: bytes } = await stat(file);
    const done = await run({ ...rest, job: { ...job, file }, scratch, bytes });
    if (done.audio === undefined) return done;
    // A short recording is sent as it is.
    const [whole] = done.audio;
    if (whole?.file === file) return { ...done, audio: [{ ...whole, file: job.file }] };
    return { ...done, audio: await takePieces(done.audio, { from: scratch, to: pieces }) };
  } finally {
    await clearFolders(folders, name);
  }
};

const doneOrThrow = (answer: Done | Failure): Done => {
  if (!('code' in answer)) return answer;
  const { code, message, retryable, detail } = answer;
  throw new IngestError(code, message, {
    retryable,
    ...(detail === undefined ? {} : { cause: new Error(detail) }),
  });
};
