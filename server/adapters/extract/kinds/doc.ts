// DOC, the Word format before 2007: its text, notes and text boxes.
import type WordExtractor from 'word-extractor';
import type { Extractor } from '../contract.ts';
import { asFailure } from '../failures.ts';

export const docExtractor: Extractor = {
  documentation: { formats: 'DOC', readAs: 'its text, notes and text boxes', places: '' },
  kinds: {
    doc: { label: 'DOC', mimeType: 'application/msword', pace: 'document', detect: { ole: 'doc' } },
  },
  read: async (content, sink) => {
    const document = await readWordFile(await content.bytes());
    sink.begin({ form: 'prose' });
    const texts = [
      document.getBody(),
      document.getFootnotes(),
      document.getEndnotes(),
      document.getTextboxes({ includeHeadersAndFooters: false }),
      document.getAnnotations(),
    ];
    await sink.part({ text: texts.filter((text) => text.trim() !== '').join('\n\n') });
  },
};

/** Any error of the library is a fault of the file: it has no version of this format that it reads only partly. */
const readWordFile = async (bytes: Buffer): Promise<WordExtractor.Document> => {
  const { default: Extractor } = await import('word-extractor');
  try {
    return await new Extractor().extract(bytes);
  } catch (error) {
    const encrypted = error instanceof Error && /encrypt|password/i.test(error.message);
    throw asFailure(encrypted ? 'encrypted_file' : 'corrupt_file', error);
  }
};
