// One job in the child process, under limits of time and memory. Whenever this rejects, the child was killed.
import type { IngestError } from '../../../core/errors.ts';
import { residentMb } from '../../../lib/resident-memory.ts';
import { failure } from '../failures.ts';
import type { OcrProgram } from '../native-ocr/program.ts';
import type { ContentHead, ContentPart, ExtractLimits, ReadProgress } from '../port.ts';
import type { Answer, ChildJob, Done, Failure, Pace, PageToRecognise, ParentMessage } from '../protocol.ts';
import { createJobClock, type JobClock, type JobTimes, jobTimes } from './job-limits.ts';
import type { Child, Ending } from './launch.ts';

/** Receives the answers of the child before it is done. */
export interface JobListener {
  head(head: ContentHead): void;
  /** Awaited before more is read. */
  parts(parts: readonly ContentPart[]): void | Promise<void>;
  progress(progress: ReadProgress): void;
  /** True when it has received text. */
  hasText(): boolean;
}

export interface JobOcr {
  /** The number of pages that are recognised at once. */
  readonly workers: number;
  readonly program: OcrProgram;
  /** The folder of installed models. */
  readonly models: string | null;
}

export interface RunningJob {
  readonly job: ChildJob;
  /** The size of the content. */
  readonly bytes: number;
  readonly scratch: string;
  readonly limits: ExtractLimits;
  readonly ocr: JobOcr;
  readonly listener: JobListener;
  readonly signal?: AbortSignal | undefined;
}

const WATCH_MS = 50;

export const runJob = async (child: Child, running: RunningJob): Promise<Done | Failure> =>
  runWith(child, running, await running.ocr.program.knows(running.job.languages));

const runWith = (child: Child, running: RunningJob, hasProgram: boolean): Promise<Done | Failure> => {
  const { bytes, limits, listener, signal } = running;
  const number = nextJobNumber();
  const times = jobTimes(limits, bytes);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clock.stop();
      clearInterval(watch);
      over.abort();
      signal?.removeEventListener('abort', abort);
      child.process.off('message', hear);
      settle();
    };
    const refuse = (error: unknown) => {
      child.kill();
      finish(() => reject(error));
    };
    const send = (message: ParentMessage) =>
      child.process.send(message, (error) => {
        // The channel is closed, so the process has ended or is about to: its ending says whether a retry helps.
        if (error !== null) child.kill();
      });
    const clock = createJobClock(child, times, (pace, ms) => {
      child.kill();
      finish(() => (keepsPages(pace, listener) ? resolve(cutShort(ms)) : reject(timeoutFailure(ms))));
    });
    const over = new AbortController();
    const exchange: Exchange = { child, running, number, clock, over: over.signal, send, refuse };
    const hear = (answer: Answer) => {
      if (answer.number !== number) return;
      if (answer.event === 'done') finish(() => resolve(answer.done));
      else if (answer.event === 'failure') finish(() => resolve(answer.failure));
      else hearProgress(exchange, answer);
    };
    const abort = () => refuse(stoppedFailure(signal?.reason));
    const watch = setInterval(() => {
      if ((residentMb(child.process.pid ?? 0) ?? 0) > limits.residentMb) refuse(failure('file_too_complex'));
      else clock.look();
    }, WATCH_MS);
    signal?.addEventListener('abort', abort, { once: true });
    child.process.on('message', hear);
    void child.ended.then((ending) =>
      refuse(ending.heapFull ? failure('file_too_complex') : crashFailure(ending)),
    );
    send(jobMessage(running, { number, times, hasProgram }));
    if (signal?.aborted) abort();
  });
};

/** One job while it runs. */
interface Exchange {
  readonly child: Child;
  readonly running: RunningJob;
  readonly number: number;
  readonly clock: JobClock;
  /** Aborted when the job has ended. */
  readonly over: AbortSignal;
  send(message: ParentMessage): void;
  refuse(error: unknown): void;
}

const hearProgress = (exchange: Exchange, answer: Exclude<Answer, { event: 'done' | 'failure' }>): void => {
  const { clock, running } = exchange;
  const { listener } = running;
  if (answer.event === 'parts') void takeParts(exchange, answer.parts);
  else if (answer.event === 'recognise') void recognisePage(exchange, answer.asked);
  else if (answer.event === 'head') listener.head(answer.head);
  else if (answer.event === 'progress') {
    clock.page();
    listener.progress(answer.progress);
  } else clock.pace(answer.pace);
};

/** Recognised pages are sent one by one: those before the one that took too long are kept. */
const keepsPages = (pace: Pace, listener: JobListener): boolean => pace === 'ocr' && listener.hasText();

const cutShort = (ms: number): Done => ({
  note: `Recognising the text on pages was stopped after ${Math.ceil(ms / 1_000)} seconds; the pages after the last one that was read are left out.`,
});

/** The time limit is paused while the listener works. */
const takeParts = async (
  { child, running, number, clock, send, refuse }: Exchange,
  parts: readonly ContentPart[],
): Promise<void> => {
  clock.pause();
  try {
    await running.listener.parts(parts);
  } catch (error) {
    refuse(error);
    return;
  }
  clock.go();
  if (child.process.connected) send({ event: 'taken', number });
};

/** The child may start no program, so this process has the page recognised for it. */
const recognisePage = async (
  { child, running, number, over, send }: Exchange,
  asked: PageToRecognise,
): Promise<void> => {
  const { job, scratch, limits, ocr } = running;
  const page = { asked, scratch, languages: job.languages, residentMb: limits.residentMb, signal: over };
  const recognised = await ocr.program.recognise(page);
  if (child.process.connected && !over.aborted)
    send({ event: 'recognised', number, page: asked.page, recognised });
};

interface JobStart {
  readonly number: number;
  readonly times: JobTimes;
  readonly hasProgram: boolean;
}

const jobMessage = (
  { job, scratch, ocr }: RunningJob,
  { number, times, hasProgram }: JobStart,
): ParentMessage => ({
  ...{ event: 'read', number, job, scratch, hasProgram },
  ...{ ocrMs: times.ocr, ocrPageMs: times.ocrPage, ocrWorkers: ocr.workers },
  models: ocr.models,
});

let jobNumber = 0;
const nextJobNumber = (): number => ++jobNumber;

const timeoutFailure = (ms: number): IngestError =>
  failure('extraction_timeout', {
    what: `Reading this content took longer than ${Math.ceil(ms / 1_000)} seconds and was stopped.`,
  });

const crashFailure = ({ how }: Ending): IngestError => {
  const retryable = FROM_OUTSIDE.has(how);
  return failure('extraction_failed', {
    what: `The process that read this content ended (${how}).`,
    ...(retryable ? { next: 'It is retried; if that does not help, send the text instead.' } : {}),
    retryable,
  });
};

/** Ended from outside, as by a system without memory; any other end is the fault of a parser, which the same content would meet again. */
const FROM_OUTSIDE = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** The caller aborted the job, perhaps before it began. */
export const stoppedFailure = (reason: unknown): IngestError =>
  failure('extraction_failed', {
    what: 'Reading this content was stopped before it was done.',
    next: 'It is retried later.',
    retryable: true,
    cause: reason,
  });
