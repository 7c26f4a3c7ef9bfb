// Reads the text on a picture.
import type { Content, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import { checkedSize, isAnimated } from './picture.ts';
import { createRecogniser, type Recogniser } from './recogniser.ts';

/** More pixels than a usual scan of a page: each of its four rotations may take seconds. */
const LARGE = 6_000_000;

export const readPicture = async (content: Content, sink: Sink): Promise<void> => {
  const bytes = await content.bytes();
  const { width, height } = checkedSize(bytes);
  if (width * height > LARGE) sink.slow();
  const recogniser = await createRecogniser(content.languages, content.scratch);
  const text = await recogniseOrFail(recogniser, bytes);
  if (text === '') throw failure('no_text_found', { what: 'No text was recognised on this picture.' });
  sink.begin({ form: 'prose', metadata: { width, height } });
  if (isAnimated(bytes, content.mimeType)) sink.note('Only the first frame of this animation was read.');
  await sink.part({ text });
};

const recogniseOrFail = async (recogniser: Recogniser, bytes: Buffer): Promise<string> => {
  try {
    return (await recogniser.recognise(bytes)).text;
  } catch (error) {
    throw failure('corrupt_file', { cause: error });
  }
};
