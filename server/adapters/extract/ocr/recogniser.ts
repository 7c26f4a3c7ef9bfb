// Recognises the text on a picture, offline: by the program that is installed on this machine where there is one, else by the built-in engine.

import { encodePgm, type GreyPicture, isBlank, turnPicture } from '../../../lib/pictures/grey-picture.ts';
import { levelled, skewOf } from '../../../lib/pictures/straight-picture.ts';
import type { Content } from '../contract.ts';
import type { RecognisedText } from '../protocol.ts';
import { withEngine } from './engines.ts';
import { DEFAULT_LANGUAGES, type LanguageFile, languageFiles } from './languages.ts';

export interface Recognised extends RecognisedText {
  /** False: the time was over before every rotation was tried; without any, the text is empty. */
  readonly complete: boolean;
}

export interface Recogniser {
  /** `picture`: decoded, or a file as the engine decodes it. Rejects with the error of the engine when it cannot read the picture. */
  recognise(picture: GreyPicture | Buffer, withinMs: number): Promise<Recognised>;
}

/** Confident enough: no other rotation is tried. */
const SURE = 60;
const VERY_SURE = 80;
/** A lower confidence means that the engine saw letters in a photo. */
const LEAST_CONFIDENCE = 40;
/** The program mixes the lines of a page that is turned by four degrees, and reads one turned by three. The built-in engine straightens pages itself. */
const LEAST_SKEW = 2;
const OTHER_ROTATIONS = [3, 1, 2];
/** The rest of its time is left to the built-in engine, in case the program hangs. */
const PROGRAM_SHARE = 0.5;

const NOTHING: Recognised = { text: '', confidence: 0, complete: true };

/** Fails when the data of a language are missing. */
export const createRecogniser = (content: Content): Recogniser => {
  const files = languageFiles(content.languages ?? DEFAULT_LANGUAGES, content.models);
  return {
    async recognise(picture, withinMs) {
      const deadline = performance.now() + withinMs;
      if (Buffer.isBuffer(picture)) return recogniseHere(content, files, { picture, deadline });
      if (isBlank(picture)) return NOTHING;
      const outside = await recogniseOutside(content, picture, withinMs * PROGRAM_SHARE);
      return outside ?? recogniseHere(content, files, { picture: encodePgm(picture), deadline });
    },
  };
};

/** Null: there is no program, or it failed. */
const recogniseOutside = async (
  { program }: Content,
  picture: GreyPicture,
  withinMs: number,
): Promise<Recognised | null> => {
  if (program === null) return null;
  const deadline = performance.now() + withinMs;
  const skew = skewOf(picture);
  const straight = Math.abs(skew) < LEAST_SKEW ? picture : levelled(picture, skew);
  const recognised = await recogniseRotated((quarters) =>
    program(turnPicture(straight, quarters), deadline - performance.now()),
  );
  return recognised.complete ? recognised : null;
};

interface TimedPicture {
  readonly picture: Buffer;
  readonly deadline: number;
}

const recogniseHere = (
  { scratch }: Content,
  files: readonly LanguageFile[],
  { picture, deadline }: TimedPicture,
): Promise<Recognised> =>
  withEngine({ files, spare: scratch }, ({ recognise }) =>
    recogniseRotated((quarters) => recognise(picture, quarters, deadline - performance.now())),
  );

/** A page that lies on its side is tried in each rotation. `read` returns null when the time is over. */
const recogniseRotated = async (
  read: (quarters: number) => Promise<RecognisedText | null>,
): Promise<Recognised> => {
  let best = await read(0);
  let complete = best !== null;
  if (best !== null && (best.confidence < SURE || best.text.trim() === '')) {
    for (const quarters of OTHER_ROTATIONS) {
      const turned = await read(quarters);
      complete = turned !== null;
      if (turned === null) break;
      if (turned.confidence > best.confidence) best = turned;
      if (best.confidence >= VERY_SURE) break;
    }
  }
  const { text, confidence } = best ?? NOTHING;
  const plausible = confidence >= LEAST_CONFIDENCE;
  return { text: plausible ? text.replace(/\n{3,}/g, '\n\n').trim() : '', confidence, complete };
};
