// Recognising the text on a picture, offline. The engine stays loaded as long as the child lives.
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { DEFAULT_LANGUAGES, languageFiles, languageFolder } from './languages.ts';

export interface Recognised {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
}

export interface Recogniser {
  /** Rejects with whatever the engine says of a picture that it cannot read. */
  recognise(image: Buffer): Promise<Recognised>;
}

/** Surely read: no other way of holding the picture needs to be tried. */
const SURE = 60;
const VERY_SURE = 80;
/** Less is letters seen in a lawn. */
const BELIEVED = 40;
const QUARTER_TURNS = [1.5 * Math.PI, 0.5 * Math.PI, Math.PI];

let loaded: { readonly languages: string; readonly worker: Worker } | null = null;

/** `spare`: a folder to write to. */
export async function createRecogniser(
  languages: readonly string[] = DEFAULT_LANGUAGES,
  spare: () => Promise<string>,
): Promise<Recogniser> {
  const files = languageFiles(languages);
  const names = files.map(({ language }) => language).join('+');
  if (loaded?.languages !== names) {
    await letGo();
    loaded = { languages: names, worker: await start(names, await languageFolder(files, spare)) };
  }
  const { worker } = loaded;
  return {
    async recognise(image) {
      try {
        return await inAnyPosition(worker, image);
      } catch (error) {
        // After a picture that it cannot read the engine is not to be trusted.
        await letGo();
        throw error instanceof Error ? error : new Error(String(error));
      }
    },
  };
}

const start = (languages: string, langPath: string): Promise<Worker> =>
  createWorker(languages, OEM.LSTM_ONLY, {
    langPath,
    cacheMethod: 'none',
    gzip: true,
    // Without one, an unreadable picture ends the process; the promise rejects all the same.
    errorHandler: () => undefined,
  });

async function letGo(): Promise<void> {
  const last = loaded;
  loaded = null;
  await last?.worker.terminate();
}

/** Slightly skewed pages are turned by the engine; what lies on its side is tried each way round. */
async function inAnyPosition(worker: Worker, image: Buffer): Promise<Recognised> {
  let best = (await worker.recognize(image, { rotateAuto: true })).data;
  if (best.confidence < SURE || best.text.trim() === '') {
    for (const rotateRadians of QUARTER_TURNS) {
      const turned = (await worker.recognize(image, { rotateRadians })).data;
      if (turned.confidence > best.confidence) best = turned;
      if (best.confidence >= VERY_SURE) break;
    }
  }
  const believed = best.confidence >= BELIEVED;
  return { text: believed ? best.text.replace(/\n{3,}/g, '\n\n').trim() : '', confidence: best.confidence };
}
