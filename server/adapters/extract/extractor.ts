// The extractor: hands jobs to a few child processes, so that hostile content costs one failed document and never the server.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { IngestError } from '../../core/errors.ts';
import { emptyFolder } from '../../lib/files/empty-folder.ts';
import { createCollector } from './collector.ts';
import { type FailureCode, failure } from './failures.ts';
import { createOcrProgram } from './native-ocr/program.ts';
import type {
  AudioTranscriber,
  ContentReader,
  ExtractLimits,
  ExtractLog,
  LinkedPage,
  OcrOptions,
  ReadContent,
  ReadJob,
  ReadOptions,
  ReadOwner,
} from './port.ts';
import { createJobQueue, type JobQueue } from './process/job-queue.ts';
import { createReaderTime } from './process/reader-time.ts';
import { stoppedFailure } from './process/run-job.ts';
import { createSlot, type SlotJob } from './process/slot.ts';
import type { Done } from './protocol.ts';

export interface ExtractorOptions {
  readonly limits: ExtractLimits;
  /** The number of processes. Of several, the last one is kept for a tag and a key that have none. */
  readonly children: number;
  readonly log: ExtractLog;
  readonly ocr?: OcrOptions;
  /** Without one, audio and video fail with `transcription_unavailable`, which names the setting. */
  readonly transcriber?: AudioTranscriber | undefined;
  /** A folder of the extractor alone, for pieces of sound; emptied at the start. Default: one in the system's temporary folder. */
  readonly scratch?: string;
  readonly jobsPerChild?: number;
  readonly idleMs?: number;
}

const JOBS_PER_CHILD = 1_000;
const IDLE_MS = 60_000;
/** A key that read for more than half of the last ten minutes is slowed. */
const READING_SHARE = { windowMs: 600_000, allowedMs: 300_000 };
const NOBODY: ReadOwner = { tag: '', key: null };

/** Failures that are logged: their cause may be this server, or a file that was made to do harm. */
const LOGGED: ReadonlySet<string> = new Set([
  ...([
    'file_too_complex',
    'extraction_timeout',
    'extraction_failed',
    'too_deep',
    'too_many_elements',
    'unsafe_xml',
    'unsafe_archive',
    'transcription_unavailable',
  ] satisfies FailureCode[]),
  'transcription_auth',
  'transcription_model',
  'transcription_invalid',
  'transcription_settings',
]);

interface ExtractorContext {
  readonly queue: JobQueue;
  readonly scratch: string;
  readonly log: ExtractLog;
  readonly transcriber: AudioTranscriber | undefined;
}

export const createExtractor = (options: ExtractorOptions): ContentReader => {
  const { limits, log, transcriber, jobsPerChild = JOBS_PER_CHILD, idleMs = IDLE_MS } = options;
  const scratch = emptyFolder(options.scratch ?? temporaryFolder());
  const { workers = defaultOcrWorkers(), program: path, models } = options.ocr ?? {};
  const ocr = { workers, models: models ?? null, program: createOcrProgram({ path, log }) };
  const slots = Array.from({ length: options.children }, (_, i) =>
    createSlot({ limits, jobsPerChild, idleMs, folder: join(scratch, `child-${i + 1}`), ocr }),
  );
  const time = createReaderTime({ ...READING_SHARE, now: () => performance.now() });
  const queue = createJobQueue(slots, time);
  const context: ExtractorContext = { queue, scratch, log, transcriber };
  return {
    read: (job, readOptions = {}) => logged(context, job.kind, () => readOnce(context, job, readOptions)),
    readLinks: (page, readOptions = {}) =>
      logged(context, 'html', () => readLinksOnce(context, page, readOptions)),
    slowedKeys: time.slowedKeys,
    childRestarts: () => slots.reduce((sum, slot) => sum + slot.restarts(), 0),
    async close() {
      queue.close();
      await Promise.all(slots.map((slot) => slot.close()));
      rmSync(scratch, { recursive: true, force: true });
    },
  };
};

/** The other half answers searches. */
const defaultOcrWorkers = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

const logged = async <T>(
  { log }: ExtractorContext,
  kind: string | undefined,
  read: () => Promise<T>,
): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof IngestError && LOGGED.has(error.code))
      log.warn({ code: error.code, kind, cause: error.cause }, error.message);
    throw error;
  }
};

const readOnce = async (
  context: ExtractorContext,
  job: ReadJob,
  options: ReadOptions,
): Promise<ReadContent> => {
  const { signal, progress = () => undefined, owner = NOBODY } = options;
  const collector = createCollector(options);
  const pieces = join(context.scratch, randomUUID());
  try {
    const listener = { ...collector, progress };
    const { note, audio } = await runInChild(context.queue, owner, { job, pieces, listener, signal });
    const notes = note === undefined ? [] : [note];
    if (audio !== undefined) {
      if (context.transcriber === undefined) throw failure('transcription_unavailable');
      const receiver = { parts: collector.parts, progress, signal };
      notes.push(...(await context.transcriber.transcribe(audio, receiver)));
      if (!collector.hasText()) throw silentFailure();
    }
    return collector.result(notes);
  } catch (error) {
    // The transcriber rejects with the reason of the signal, which is no IngestError.
    throw signal?.aborted && !(error instanceof IngestError) ? stoppedFailure(signal.reason) : error;
  } finally {
    await rm(pieces, { recursive: true, force: true });
  }
};

const NO_ANSWERS = {
  head: () => undefined,
  parts: () => undefined,
  progress: () => undefined,
  hasText: () => false,
};

const readLinksOnce = async (
  { queue, scratch }: ExtractorContext,
  { html, url }: { html: string; url: string },
  { signal, owner = NOBODY }: Pick<ReadOptions, 'owner' | 'signal'>,
): Promise<LinkedPage> => {
  const job: SlotJob = {
    job: { text: html, url, wants: 'links' },
    pieces: join(scratch, randomUUID()),
    ...{ listener: NO_ANSWERS, signal },
  };
  const { page } = await runInChild(queue, owner, job);
  if (page === undefined) throw new Error('The extraction process answered without the links of the page.');
  return page;
};

const runInChild = async (queue: JobQueue, owner: ReadOwner, job: SlotJob): Promise<Done> => {
  const slot = await queue.take(owner, job.signal);
  try {
    return await slot.run(job);
  } finally {
    queue.giveBack(slot);
  }
};

const silentFailure = (): IngestError =>
  failure('no_text_found', { what: 'No speech was recognised in this recording.' });

const temporaryFolder = (): string => join(tmpdir(), `memoir-reading-${process.pid}-${randomUUID()}`);
