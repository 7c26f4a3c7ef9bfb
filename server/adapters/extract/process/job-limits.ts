// The time limits of one job: by its pace, by the size of its content, and of each page that is recognised.
import type { ExtractLimits } from '../port.ts';
import type { Pace } from '../protocol.ts';
import type { Child } from './launch.ts';
import { processorMs } from './processor-time.ts';
import { createStopwatch } from './stopwatch.ts';

export interface JobClock {
  /** The limit of this pace holds from here on, counted from the start. */
  pace(pace: Pace): void;
  /** A page was done: the time of the next one begins. */
  page(): void;
  pause(): void;
  go(): void;
  /** Call often: processor time is only seen when it is looked at. */
  look(): void;
  stop(): void;
}

/** Called with the pace and the limit that was reached. */
export type TimeOver = (pace: Pace, ms: number) => void;

const DOCUMENT_MS = 60_000;
const SMALL_MS = 10_000;
const SMALL_BYTES = 1_048_576;
const OCR_MS = 600_000;
const OCR_PAGE_MS = 60_000;
/** The child ends the recognition of a page itself; the parent only ends a child that cannot. */
const PAGE_GRACE = 1.5;
/** The limit is the processor time if the system tells it, so a busy machine may take longer. */
const BUSY_MACHINE = 10;

export interface JobTimes extends Readonly<Record<Pace, number>> {
  readonly ocrPage: number;
}

/** `bytes`: the size of the content. A small file that takes long was made to. */
export const jobTimes = (limits: ExtractLimits, bytes: number): JobTimes => {
  const { timeoutMs, documentMs = DOCUMENT_MS, ocrMs = OCR_MS } = limits;
  const { smallMs = SMALL_MS, ocrPageMs = OCR_PAGE_MS } = limits;
  const most = bytes < SMALL_BYTES ? smallMs : Number.POSITIVE_INFINITY;
  return {
    quick: Math.min(most, timeoutMs),
    document: Math.min(most, Math.max(timeoutMs, documentMs)),
    ocr: Math.max(timeoutMs, ocrMs),
    ocrPage: ocrPageMs,
  };
};

export const createJobClock = (child: Child, times: JobTimes, over: TimeOver): JobClock => {
  const pid = child.process.pid ?? 0;
  const before = processorMs(pid);
  const patience = before === null ? 1 : BUSY_MACHINE;
  let current: Pace = 'quick';
  const whole = createStopwatch(times.quick * patience, () => over(current, times[current]));
  let page: ReturnType<typeof createStopwatch> | null = null;
  let paused = false;

  const nextPage = (): void => {
    page?.stop();
    page = createStopwatch(times.ocrPage * PAGE_GRACE, () => over('ocr', times.ocrPage));
    if (paused) page.pause();
  };
  return {
    pace(pace) {
      current = pace;
      whole.allow(pace === 'ocr' ? times.ocr : times[pace] * patience);
      if (pace === 'ocr') nextPage();
    },
    page() {
      if (current === 'ocr') nextPage();
    },
    pause() {
      paused = true;
      whole.pause();
      page?.pause();
    },
    go() {
      paused = false;
      whole.go();
      page?.go();
    },
    look() {
      const now = before === null || current === 'ocr' ? null : processorMs(pid);
      if (now !== null && now - (before ?? 0) > times[current]) over(current, times[current]);
    },
    stop() {
      whole.stop();
      page?.stop();
    },
  };
};
