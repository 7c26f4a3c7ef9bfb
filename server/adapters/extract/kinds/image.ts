// Pictures: the text that is seen on them.
import { failure } from '../failures.ts';
import { checkedSize, isAnimated } from '../ocr/picture.ts';
import { createRecogniser, type Recogniser } from '../ocr/recogniser.ts';
import type { Content, Sink } from './contract.ts';

/** More pixels than a page that was scanned in the usual way: each way round may take seconds. */
const LARGE = 6_000_000;

export async function extractImage(content: Content, sink: Sink): Promise<void> {
  const bytes = await content.bytes();
  const { width, height } = checkedSize(bytes);
  if (width * height > LARGE) sink.slow();
  const recogniser = await createRecogniser(content.languages, content.scratch);
  const text = await recognised(recogniser, bytes);
  if (text === '') throw failure('no_text_found', { what: 'No text was recognised on this picture.' });
  sink.begin({ form: 'prose', metadata: { width, height } });
  if (isAnimated(bytes, content.mimeType)) sink.note('Only the first frame of this animation was read.');
  await sink.part({ text });
}

async function recognised(recogniser: Recogniser, bytes: Buffer): Promise<string> {
  try {
    return (await recogniser.recognise(bytes)).text;
  } catch (error) {
    throw failure('corrupt_file', { cause: error });
  }
}
