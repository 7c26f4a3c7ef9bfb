// Reads the text on a picture.
import type { Content, Sink } from '../contract.ts';
import { asFailure, failure } from '../failures.ts';
import { type CheckedPicture, checkedPicture } from './picture.ts';
import { createRecogniser, type Recognised } from './recogniser.ts';

export const readPicture = async (content: Content, sink: Sink): Promise<void> => {
  const picture = await checkedPicture(await content.bytes(), content.mimeType);
  await sink.slow();
  const { text, complete } = await recogniseOrFail(content, picture);
  if (text === '' && !complete) throw pictureTooSlow(content);
  if (text === '') throw failure('no_text_found', { what: 'No text was recognised on this picture.' });
  const { width, height, animated } = picture;
  sink.begin({ form: 'prose', metadata: { width, height } });
  if (animated) sink.note('Only the first frame of this animation was read.');
  await sink.part({ text });
};

const recogniseOrFail = async (content: Content, { bytes }: CheckedPicture): Promise<Recognised> => {
  const recogniser = createRecogniser(content);
  try {
    return await recogniser.recognise(bytes, content.ocrPageMs);
  } catch (error) {
    throw asFailure('corrupt_file', error);
  }
};

const pictureTooSlow = ({ ocrPageMs }: Content) =>
  failure('extraction_timeout', {
    what: `Recognising the text on this picture took longer than ${Math.ceil(ocrPageMs / 1_000)} seconds and was stopped.`,
    next: 'Scale it down or send a part of it, or its text.',
  });
