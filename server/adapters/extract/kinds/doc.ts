// DOC, the Word format of before 2007: its text, notes and text boxes.
import WordExtractor from 'word-extractor';
import { failureOf } from '../failures.ts';
import type { Content, Sink } from './contract.ts';

export async function extractDoc(content: Content, sink: Sink): Promise<void> {
  const document = await read(await content.bytes());
  sink.begin({ form: 'prose' });
  const texts = [
    document.getBody(),
    document.getFootnotes(),
    document.getEndnotes(),
    document.getTextboxes({ includeHeadersAndFooters: false }),
    document.getAnnotations(),
  ];
  await sink.part({ text: texts.filter((text) => text.trim() !== '').join('\n\n') });
}

/** Whatever it throws, the file is to blame: this format has no version that it reads by half. */
async function read(bytes: Buffer): Promise<WordExtractor.Document> {
  try {
    return await new WordExtractor().extract(bytes);
  } catch (error) {
    const encrypted = error instanceof Error && /encrypt|password/i.test(error.message);
    throw failureOf(encrypted ? 'encrypted_file' : 'corrupt_file', error);
  }
}
