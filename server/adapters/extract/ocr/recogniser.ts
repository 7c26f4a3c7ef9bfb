// Recognises the text on a picture, offline. The engine stays loaded as long as the child process lives.
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { DEFAULT_LANGUAGES, languageFiles, languageFolder } from './languages.ts';

export interface Recognised {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
}

export interface Recogniser {
  /** Rejects with the error of the engine when it cannot read the picture. */
  recognise(image: Buffer): Promise<Recognised>;
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
    async recognise(image) {
      try {
        return await recogniseRotated(worker, image);
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
const recogniseRotated = async (worker: Worker, image: Buffer): Promise<Recognised> => {
  let best = (await worker.recognize(image, { rotateAuto: true })).data;
  if (best.confidence < SURE || best.text.trim() === '') {
    for (const rotateRadians of QUARTER_TURNS) {
      const turned = (await worker.recognize(image, { rotateRadians })).data;
      if (turned.confidence > best.confidence) best = turned;
      if (best.confidence >= VERY_SURE) break;
    }
  }
  const plausible = best.confidence >= LEAST_CONFIDENCE;
  return { text: plausible ? best.text.replace(/\n{3,}/g, '\n\n').trim() : '', confidence: best.confidence };
};
