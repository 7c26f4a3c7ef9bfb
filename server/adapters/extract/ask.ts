// One job in the child process, under limits of time and memory. Whenever this rejects, the child has been killed.
import { IngestError } from '../../errors.ts';
import type { Child, Ending } from './launch.ts';
import type { ExtractJob, ExtractLimits } from './port.ts';
import type { Answer, Order } from './protocol.ts';
import { residentMb } from './resident.ts';

const WATCH_MS = 50;

export function ask(
  child: Child,
  job: ExtractJob,
  limits: ExtractLimits,
  signal?: AbortSignal,
): Promise<Answer> {
  const order: Order = { number: nextNumber(), job };
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearInterval(watch);
      signal?.removeEventListener('abort', abort);
      child.process.off('message', hear);
      settle();
    };
    const refuse = (error: IngestError) => {
      child.kill();
      finish(() => reject(error));
    };
    const hear = (answer: Answer) => {
      if (answer.number === order.number) finish(() => resolve(answer));
    };
    const abort = () => refuse(stopped(signal?.reason));
    const timer = setTimeout(() => refuse(tooSlow(limits.timeoutMs)), limits.timeoutMs);
    const watch = setInterval(() => {
      if ((residentMb(child.process.pid ?? 0) ?? 0) > limits.residentMb) refuse(tooLarge());
    }, WATCH_MS);
    signal?.addEventListener('abort', abort, { once: true });
    child.process.on('message', hear);
    void child.ended.then((ending) => refuse(ending.heapFull ? tooLarge() : crashed(ending)));
    child.process.send(order, (error) => {
      if (error !== null) refuse(crashed({ how: error.message, heapFull: false }));
    });
    if (signal?.aborted) abort();
  });
}

let number = 0;
const nextNumber = (): number => ++number;

const tooSlow = (ms: number): IngestError =>
  new IngestError(
    'extraction_timeout',
    `Reading this content took longer than ${Math.ceil(ms / 1_000)} seconds and was stopped. Send a smaller part of it, or its text.`,
  );

const tooLarge = (): IngestError =>
  new IngestError(
    'file_too_complex',
    'Reading this content needed more memory than it may have and was stopped. Send a smaller part of it, or its text.',
  );

const crashed = ({ how }: Ending): IngestError =>
  new IngestError(
    'extraction_failed',
    `The process that read this content ended (${how}). It is tried again; if that does not help, send the text instead.`,
    { retryable: true },
  );

/** Also for a caller who gave up before it began. */
export const stopped = (reason: unknown): IngestError =>
  new IngestError(
    'extraction_failed',
    'Reading this content was stopped before it was done. It is tried again later.',
    {
      retryable: true,
      cause: reason,
    },
  );
