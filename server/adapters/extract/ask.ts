// One job in the child process, under limits of time and memory. Whenever this rejects, the child has been killed.
import type { IngestError } from '../../errors.ts';
import { failure } from './failures.ts';
import type { Child, Ending } from './launch.ts';
import type { ContentHead, ContentPart, ExtractLimits, ReadProgress } from './port.ts';
import type { Answer, ChildJob, Done, Failure, Message, Pace } from './protocol.ts';
import { residentMb } from './resident.ts';
import { createStopwatch } from './stopwatch.ts';

/** Takes what the child tells before it is done. */
export interface Listener {
  head(head: ContentHead): void;
  /** Awaited before more is read. */
  parts(parts: readonly ContentPart[]): void | Promise<void>;
  progress(progress: ReadProgress): void;
  pace(pace: Pace): void;
}

export interface Asked {
  readonly job: ChildJob;
  readonly scratch: string;
  readonly limits: ExtractLimits;
  readonly listener: Listener;
  readonly signal?: AbortSignal | undefined;
}

const WATCH_MS = 50;
const DOCUMENT_MS = 60_000;
const OCR_MS = 600_000;

const patience = ({ timeoutMs, documentMs = DOCUMENT_MS, ocrMs = OCR_MS }: ExtractLimits) => ({
  quick: timeoutMs,
  document: Math.max(timeoutMs, documentMs),
  ocr: Math.max(timeoutMs, ocrMs),
});

export function ask(
  child: Child,
  { job, scratch, limits, listener, signal }: Asked,
): Promise<Done | Failure> {
  const number = nextNumber();
  const allowed = patience(limits);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clock.stop();
      clearInterval(watch);
      signal?.removeEventListener('abort', abort);
      child.process.off('message', hear);
      settle();
    };
    const refuse = (error: unknown) => {
      child.kill();
      finish(() => reject(error));
    };
    const send = (message: Message) =>
      child.process.send(message, (error) => {
        if (error !== null) refuse(crashed({ how: error.message, heapFull: false }));
      });
    const take = async (parts: readonly ContentPart[]) => {
      clock.pause();
      try {
        await listener.parts(parts);
      } catch (error) {
        refuse(error);
        return;
      }
      clock.go();
      if (child.process.connected) send({ event: 'taken', number });
    };
    const hear = (answer: Answer) => {
      if (answer.number !== number) return;
      if (answer.event === 'parts') void take(answer.parts);
      else if (answer.event === 'done') finish(() => resolve(answer.done));
      else if (answer.event === 'failure') finish(() => resolve(answer.failure));
      else if (answer.event === 'head') listener.head(answer.head);
      else if (answer.event === 'progress') listener.progress(answer.progress);
      else {
        clock.allow(allowed[answer.pace]);
        listener.pace(answer.pace);
      }
    };
    const abort = () => refuse(stopped(signal?.reason));
    const clock = createStopwatch(allowed.quick, (ms) => refuse(tooSlow(ms)));
    const watch = setInterval(() => {
      if ((residentMb(child.process.pid ?? 0) ?? 0) > limits.residentMb) refuse(failure('file_too_complex'));
    }, WATCH_MS);
    signal?.addEventListener('abort', abort, { once: true });
    child.process.on('message', hear);
    void child.ended.then((ending) =>
      refuse(ending.heapFull ? failure('file_too_complex') : crashed(ending)),
    );
    send({ event: 'read', number, job, scratch, ocrMs: allowed.ocr });
    if (signal?.aborted) abort();
  });
}

let number = 0;
const nextNumber = (): number => ++number;

const tooSlow = (ms: number): IngestError =>
  failure('extraction_timeout', {
    what: `Reading this content took longer than ${Math.ceil(ms / 1_000)} seconds and was stopped.`,
  });

const crashed = ({ how }: Ending): IngestError =>
  failure('extraction_failed', {
    what: `The process that read this content ended (${how}).`,
    next: 'It is tried again; if that does not help, send the text instead.',
    retryable: true,
  });

/** Also for a caller who gave up before it began. */
export const stopped = (reason: unknown): IngestError =>
  failure('extraction_failed', {
    what: 'Reading this content was stopped before it was done.',
    next: 'It is tried again later.',
    retryable: true,
    cause: reason,
  });
