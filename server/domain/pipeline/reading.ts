// Reading the parts of a document: pages in the extractor, text as it stands. What cannot be read says why.
import type { Extractor } from '../../adapters/extract/port.ts';
import { IngestError } from '../../errors.ts';
import type { Part } from './parts.ts';

export interface PartText {
  readonly text: string;
  readonly title?: string;
}

export interface PartReader {
  /** Once for each part, however often it is asked for. `url`: where a page is from. */
  read(part: Part, url: string | null): Promise<PartText>;
  /** Why it cannot be read and will not be; null: it can. Rejects with what may pass. */
  trouble(part: Part, url: string | null): Promise<IngestError | null>;
}

const urlNotSupported = () =>
  new IngestError(
    'url_not_supported',
    'This content is a web address, and reading web pages is not built yet. ' +
      'Send the text or the HTML of the page; or send this again once web pages can be read.',
  );

const notText = () =>
  new IngestError(
    'unsupported_type',
    'This content is not text: it holds control characters, as files do. Send its text instead.',
  );

/** `lastTry`: what may pass has not passed so often that it counts as what will not. */
export const createPartReader = (deps: {
  extractor: Extractor;
  signal: AbortSignal;
  lastTry: boolean;
}): PartReader => {
  const { extractor, signal, lastTry } = deps;
  const readings = new WeakMap<Part, Promise<PartText>>();

  const start = async ({ kind, content }: Part, url: string | null): Promise<PartText> => {
    if (kind === 'url') throw urlNotSupported();
    if (kind === 'binary') throw notText();
    if (kind === 'text') return { text: content };
    return extractor.extract({ kind: 'html', text: content, ...(url === null ? {} : { url }) }, signal);
  };

  const read: PartReader['read'] = (part, url) => {
    const reading = readings.get(part) ?? start(part, url);
    readings.set(part, reading);
    return reading;
  };

  return {
    read,
    async trouble(part, url) {
      try {
        await read(part, url);
        return null;
      } catch (error) {
        const final = error instanceof IngestError && (!error.retryable || lastTry);
        if (!final || signal.aborted) throw error;
        return error;
      }
    },
  };
};
