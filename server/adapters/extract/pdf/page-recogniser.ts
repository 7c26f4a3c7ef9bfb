// Recognises the pictures of pages, several at once, within the time for all of them.
import { limitRuns } from '../../../lib/async/limit-runs.ts';
import { once } from '../../../lib/once.ts';
import type { GreyPicture } from '../../../lib/pictures/grey-picture.ts';
import type { Content } from '../contract.ts';
import { createRecogniser, type Recognised } from '../ocr/recogniser.ts';

export type RecognisePage = (picture: GreyPicture) => Promise<Recognised>;

/** Recognition ends after this share of its time limit, so that the pages read by then are kept. */
const OCR_SHARE = 0.8;

/** The time of all pages begins with the first one, which has the time of a page in any case. */
export const createPageRecogniser = (content: Content): RecognisePage => {
  const { ocrMs, ocrPageMs, ocrWorkers } = content;
  const recogniser = once(() => createRecogniser(content));
  const limited = limitRuns(ocrWorkers);
  let endsAt: number | null = null;
  return (picture) =>
    limited(async () => {
      const now = performance.now();
      const left = endsAt === null ? ocrPageMs : Math.min(ocrPageMs, endsAt - now);
      endsAt ??= now + ocrMs * OCR_SHARE;
      if (left <= 0) return { text: '', confidence: 0, complete: false };
      return recogniser().recognise(picture, left);
    });
};
