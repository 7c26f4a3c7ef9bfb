// The content of one job: its bytes are read on first use, text is decoded already.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content, RecognisePicture } from '../contract.ts';
import type { Detected } from '../detect/detect.ts';
import { type ChildJob, type PageToRecognise, pixelFile, type RecognisedText } from '../protocol.ts';

export interface JobPlace {
  readonly scratch: string;
  readonly ocrMs: number;
  readonly ocrPageMs: number;
  readonly ocrWorkers: number;
  readonly hasProgram: boolean;
  readonly models: string | null;
}

/** Has the parent process recognise a page; null: its program failed. */
export type AskParent = (asked: PageToRecognise) => Promise<RecognisedText | null>;

export interface ContentJob {
  readonly job: ChildJob;
  readonly place: JobPlace;
  readonly recognise: AskParent;
}

export const createContent = ({ job, place, recognise }: ContentJob, detected: Detected): Content => {
  const { ocrMs, ocrPageMs, ocrWorkers, hasProgram, models } = place;
  const scratch = async (): Promise<string> => {
    await mkdir(place.scratch, { recursive: true, mode: 0o700 });
    return place.scratch;
  };
  const { text: sentText, file, kind: _, ...hints } = job;
  return {
    ...hints,
    kind: detected.kind,
    mimeType: detected.mimeType,
    text: detected.text ?? '',
    file: file ?? null,
    ocrMs,
    ocrPageMs,
    ocrWorkers,
    models,
    program: hasProgram ? createProgramRecogniser(scratch, recognise) : null,
    scratch,
    bytes: async () => (file === undefined ? Buffer.from(sentText) : await readFile(file)),
  };
};

/** The pixels go through a file, because they are too large for a message. */
const createProgramRecogniser = (scratch: Content['scratch'], recognise: AskParent): RecognisePicture => {
  let pages = 0;
  return async ({ width, height, pixels }, withinMs) => {
    const page = ++pages;
    await writeFile(join(await scratch(), pixelFile(page)), pixels);
    return recognise({ page, width, height, withinMs });
  };
};
