// The extractor: hands jobs to one or two child processes, so that hostile content costs one failed document and never the server.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IngestError } from '../../errors.ts';
import { stopped } from './ask.ts';
import { createCollector } from './collector.ts';
import type { FailureCode } from './failures.ts';
import type { ContentReader, ExtractLimits, ReadContent, ReadJob, ReadOptions } from './port.ts';
import type { ChildJob, Done, Pace } from './protocol.ts';
import { createQueue } from './queue.ts';
import { createSlot } from './slot.ts';
import { transcribe } from './transcribe/transcribe.ts';

/** What the log needs to do; pino's does. */
export interface ExtractLog {
  warn(details: object, message: string): void;
}

export interface ExtractorOptions {
  readonly limits: ExtractLimits;
  readonly children: 1 | 2;
  readonly log: ExtractLog;
  /** A folder of the extractor alone, for pieces of sound; emptied at the start. Default: one in the system's folder for such things. */
  readonly scratch?: string;
  readonly jobsPerChild?: number;
  readonly idleMs?: number;
}

const JOBS_PER_CHILD = 50;
const IDLE_MS = 60_000;
/** A machine may have been busy: what was too slow once is tried a second time, behind all that waits. */
const TRIES = 2;

/** What the owner of the document cannot have caused, or what was perhaps meant to do harm. */
const NOTEWORTHY: ReadonlySet<string> = new Set<FailureCode>([
  'file_too_complex',
  'extraction_timeout',
  'extraction_failed',
  'too_deep',
  'too_many_elements',
  'unsafe_xml',
  'unsafe_archive',
  'transcription_unavailable',
  'transcription_auth',
  'transcription_model',
  'transcription_invalid',
  'transcription_settings',
]);

export function createExtractor(options: ExtractorOptions): ContentReader {
  const { limits, log, jobsPerChild = JOBS_PER_CHILD, idleMs = IDLE_MS } = options;
  const slots = Array.from({ length: options.children }, () => createSlot({ limits, jobsPerChild, idleMs }));
  const queue = createQueue(slots);
  const scratch = emptied(options.scratch);

  const inChild = async (asked: Parameters<(typeof slots)[number]['run']>[0]): Promise<Done> => {
    const slot = await queue.take(asked.signal);
    try {
      return await slot.run(asked);
    } finally {
      queue.giveBack(slot);
    }
  };

  /** `pace` is told what the child found the job to be. */
  const attempt = async (
    job: ReadJob,
    wishes: ReadOptions,
    pace: (pace: Pace) => void,
  ): Promise<ReadContent> => {
    const { signal, progress = () => undefined } = wishes;
    const collector = createCollector(wishes);
    const folder = join(scratch, randomUUID());
    try {
      const listener = { ...collector, progress, pace };
      const { note, audio } = await inChild({ job: childJob(job), scratch: folder, listener, signal });
      const notes = note === undefined ? [] : [note];
      if (audio !== undefined)
        notes.push(
          ...(await transcribe(audio, job.transcription, { parts: collector.parts, progress, signal })),
        );
      return collector.result(notes);
    } catch (error) {
      // Whoever waited for the service of transcriptions was told in its own words.
      throw signal?.aborted && !(error instanceof IngestError) ? stopped(signal.reason) : error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  const read = async (job: ReadJob, wishes: ReadOptions = {}): Promise<ReadContent> => {
    for (let tries = 1; ; tries++) {
      let pace: Pace = 'quick';
      try {
        return await attempt(job, wishes, (told) => {
          pace = told;
        });
      } catch (error) {
        if (!(error instanceof IngestError)) throw error;
        if (NOTEWORTHY.has(error.code))
          log.warn({ code: error.code, kind: job.kind, tries, cause: error.cause }, error.message);
        if (error.code !== 'extraction_timeout' || tries >= triesOf(pace)) throw error;
      }
    }
  };

  return {
    read,

    async close() {
      queue.close();
      await Promise.all(slots.map((slot) => slot.close()));
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Ten minutes are not spent twice. */
const triesOf = (pace: Pace): number => (pace === 'ocr' ? 1 : TRIES);

function emptied(folder = join(tmpdir(), `memoir-reading-${process.pid}-${randomUUID()}`)): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

const childJob = ({ transcription: _, ...job }: ReadJob): ChildJob => job;
