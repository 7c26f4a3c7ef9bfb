// Recognises the text on a picture, offline. The engine stays loaded as long as the child process lives.
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { pause } from '../../../lib/async/wait.ts';
import { DEFAULT_LANGUAGES, languageFiles, languageFolder } from './languages.ts';

export interface Recognised {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
  /** False: the time was over before every rotation was tried; without any, the text is empty. */
  readonly complete: boolean;
}

export interface Recogniser {
  /** Rejects with the error of the engine when it cannot read the picture. */
  recognise(image: Buffer, withinMs: number): Promise<Recognised>;
}

/** Confident enough: no other rotation is tried. */
const SURE = 60;
const VERY_SURE = 80;
/** A lower confidence means that the engine saw letters in a photo. */
const LEAST_CONFIDENCE = 40;
const QUARTER_TURNS = [1.5 * Math.PI, 0.5 * Math.PI, Math.PI];

let loaded: { readonly languages: string; readonly worker: Worker } | null = null;

/** `spare`: a folder to write to. */
export const createRecogniser = async (
  languages: readonly string[] = DEFAULT_LANGUAGES,
  spare: () => Promise<string>,
): Promise<Recogniser> => {
  const files = languageFiles(languages);
  const names = files.map(({ language }) => language).join('+');
  if (loaded?.languages !== names) {
    await endEngine();
    loaded = { languages: names, worker: await startEngine(names, await languageFolder(files, spare)) };
  }
  const { worker } = loaded;
  return {
    async recognise(image, withinMs) {
      try {
        const recognised = await recogniseRotated(worker, image, performance.now() + withinMs);
        // Only its end stops an engine that is at work.
        if (!recognised.complete) await endEngine();
        return recognised;
      } catch (error) {
        // The state of the engine is unknown after a picture that it cannot read.
        await endEngine();
        throw error instanceof Error ? error : new Error(String(error));
      }
    },
  };
};

const startEngine = (languages: string, langPath: string): Promise<Worker> =>
  createWorker(languages, OEM.LSTM_ONLY, {
    langPath,
    cacheMethod: 'none',
    gzip: true,
    // Without a handler an unreadable picture ends the process; the promise rejects in both cases.
    errorHandler: () => undefined,
  });

const endEngine = async (): Promise<void> => {
  const last = loaded;
  loaded = null;
  await last?.worker.terminate();
};

/** The engine straightens a skewed page; a page that lies on its side is tried in each rotation. */
const recogniseRotated = async (worker: Worker, image: Buffer, deadline: number): Promise<Recognised> => {
  let best = await recogniseTurned(worker.recognize(image, { rotateAuto: true }), deadline);
  let complete = best !== null;
  if (best !== null && (best.confidence < SURE || best.text.trim() === '')) {
    for (const rotateRadians of QUARTER_TURNS) {
      const turned = await recogniseTurned(worker.recognize(image, { rotateRadians }), deadline);
      complete = turned !== null;
      if (turned === null) break;
      if (turned.confidence > best.confidence) best = turned;
      if (best.confidence >= VERY_SURE) break;
    }
  }
  const { text, confidence } = best ?? { text: '', confidence: 0 };
  const plausible = confidence >= LEAST_CONFIDENCE;
  return { text: plausible ? text.replace(/\n{3,}/g, '\n\n').trim() : '', confidence, complete };
};

type Turned = Awaited<ReturnType<Worker['recognize']>>['data'];

/** Null: it was not done at the deadline. */
const recogniseTurned = async (
  recognising: ReturnType<Worker['recognize']>,
  deadline: number,
): Promise<Turned | null> => {
  const ended = new AbortController();
  const over = pause(Math.max(0, deadline - performance.now()), ended.signal).then(() => null);
  try {
    return (await Promise.race([recognising, over]))?.data ?? null;
  } finally {
    ended.abort();
  }
};
