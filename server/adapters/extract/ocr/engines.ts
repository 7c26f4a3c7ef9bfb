// The built-in engines: each is a thread that recognises one picture at a time, and stays loaded as long as the child process lives.
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { pause } from '../../../lib/async/wait.ts';
import type { RecognisedText } from '../protocol.ts';
import { type LanguageFile, languageFolder } from './languages.ts';

export interface EngineStart {
  readonly files: readonly LanguageFile[];
  /** A folder to write to. */
  readonly spare: () => Promise<string>;
}

export interface OcrEngine {
  /** Null: it was not done in time. */
  recognise(image: Buffer, quarters: number, withinMs: number): Promise<RecognisedText | null>;
}

interface LoadedEngine {
  readonly languages: string;
  readonly worker: Worker;
}

const QUARTER = Math.PI / 2;

/** The engines that have nothing to do. */
let idle: readonly LoadedEngine[] = [];

/** Loads an engine, or takes one that has nothing to do. It is ended after a picture that it could not read, or not in time. */
export const withEngine = async <T>(
  start: EngineStart,
  use: (engine: OcrEngine) => Promise<T>,
): Promise<T> => {
  const loaded = await takeEngine(start);
  let late = false;
  const engine: OcrEngine = {
    async recognise(image, quarters, withinMs) {
      const options = quarters === 0 ? { rotateAuto: true } : { rotateRadians: quarters * QUARTER };
      const recognised = await inTime(loaded.worker.recognize(image, options), withinMs);
      late ||= recognised === null;
      return recognised === null ? null : recognised.data;
    },
  };
  try {
    const result = await use(engine);
    // Only its end stops an engine that is at work.
    if (late) await loaded.worker.terminate();
    else idle = [...idle, loaded];
    return result;
  } catch (error) {
    // The state of the engine is unknown after a picture that it cannot read.
    await loaded.worker.terminate();
    throw error instanceof Error ? error : new Error(String(error));
  }
};

const takeEngine = async (start: EngineStart): Promise<LoadedEngine> => {
  const languages = start.files.map(({ language }) => language).join('+');
  const others = idle.filter((engine) => engine.languages !== languages);
  const [free, ...rest] = idle.filter((engine) => engine.languages === languages);
  idle = rest;
  await Promise.all(others.map(({ worker }) => worker.terminate()));
  if (free !== undefined) return free;
  return { languages, worker: await startEngine(languages, await languageFolder(start.files, start.spare)) };
};

const startEngine = async (languages: string, langPath: string): Promise<Worker> => {
  const worker = await createWorker(languages, OEM.LSTM_ONLY, {
    langPath,
    cacheMethod: 'none',
    gzip: true,
    // Without a handler an unreadable picture ends the process; the promise rejects in both cases.
    errorHandler: () => undefined,
  });
  // By default it takes a page for one block of text: it reads across columns, and lays out each page twice.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO });
  return worker;
};

/** Null: it was not done in time. */
const inTime = async <T>(work: Promise<T>, withinMs: number): Promise<T | null> => {
  const ended = new AbortController();
  const over = pause(Math.max(0, withinMs), ended.signal).then(() => null);
  try {
    return await Promise.race([work, over]);
  } finally {
    ended.abort();
  }
};
