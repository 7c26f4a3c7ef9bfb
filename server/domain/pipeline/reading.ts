// Reading the parts of a document: files, addresses and pages elsewhere, text as it stands. What cannot be read says why.
import type {
  ContentHints,
  ContentPart,
  ContentReader,
  ReadJob,
  ReadProgress,
} from '../../adapters/extract/port.ts';
import type { Web, WebFile } from '../../adapters/fetch/port.ts';
import type { ClaimedFile } from '../../adapters/store/ingest-port.ts';
import { IngestError } from '../../errors.ts';
import type { Part } from './parts.ts';
import { type Origin, partOfContent, partOfVideo } from './read-content.ts';

export interface PartText {
  readonly text: string;
  readonly title?: string;
  /** What was read stands for the file or the address from now on. */
  readonly becomes?: Part;
}

export interface PartReader {
  /** Once for each part, however often it is asked for. `url`: where a page is from. */
  read(part: Part, url: string | null): Promise<PartText>;
  /** Why it cannot be read and will not be; null: it can. Rejects with what may pass. */
  trouble(part: Part, url: string | null): Promise<IngestError | null>;
}

/** What reads content that is no plain text. */
export interface Readers {
  content: Pick<ContentReader, 'read'>;
  web: Pick<Web, 'open' | 'discard'>;
  /** Where the original with this key lies. */
  pathOf(key: string): string;
}

const notText = () =>
  new IngestError(
    'unsupported_type',
    'This content is not text: it holds control characters, as files do. Upload it as a file, or send its text instead.',
  );

/** As its sender calls it; only a text can be called a text against its looks. */
const hintsOf = ({ name, mimeType, fileType }: ClaimedFile): ContentHints => ({
  fileName: name,
  ...(mimeType === null ? {} : { mimeType }),
  ...(fileType === 'text' ? { kind: 'text' } : {}),
});

/** The name without its ending. */
const nameOf = (name: string): string | undefined => name.replace(/\.[^.]{1,10}$/, '').trim() || undefined;

const joined = (parts: readonly ContentPart[]): string => parts.map(({ text }) => text).join('');

/** `lastTry`: what may pass has not passed so often that it counts as what will not. */
export const createPartReader = (deps: {
  readers: Readers;
  signal: AbortSignal;
  lastTry: boolean;
  progress: (progress: ReadProgress) => void;
}): PartReader => {
  const { readers, signal, lastTry, progress } = deps;
  const readings = new WeakMap<Part, Promise<PartText>>();

  const readContent = async (job: ReadJob) => {
    let parts: ContentPart[] = [];
    const content = await readers.content.read(job, {
      signal,
      progress,
      begin: () => {
        parts = [];
      },
      batch: (more) => {
        for (const part of more) parts.push(part);
      },
    });
    return { content, parts };
  };

  const become = (part: Part): PartText => {
    const title = part.reading?.title;
    return { text: part.content, becomes: part, ...(title === undefined ? {} : { title }) };
  };

  const readFile = async (job: ReadJob, origin: Origin): Promise<PartText> => {
    const { content, parts } = await readContent(job);
    return become(partOfContent(content, parts, origin));
  };

  const readWebFile = async ({
    file,
    url,
    fileName,
    mimeType,
    charset,
    sheet,
    title,
  }: WebFile): Promise<PartText> =>
    readFile(
      {
        file,
        url,
        ...(fileName === undefined ? {} : { fileName }),
        ...(mimeType === undefined ? {} : { mimeType }),
        ...(charset === undefined ? {} : { charset }),
        ...(sheet ? { kind: 'csv' as const } : {}),
      },
      {
        from: 'web',
        name: title ?? nameOf(fileName ?? ''),
        type: sheet ? 'google_sheet' : undefined,
      },
    );

  const readAddress = async (address: string): Promise<PartText> => {
    const found = await readers.web.open(address, signal);
    if (found.what === 'video') return become(partOfVideo(found));
    try {
      return await readWebFile(found);
    } finally {
      await readers.web.discard(found);
    }
  };

  const readPage = async (text: string, url: string | null): Promise<PartText> => {
    const { content, parts } = await readContent({ kind: 'html', text, ...(url === null ? {} : { url }) });
    const { title } = content;
    return { text: joined(parts), ...(title === undefined ? {} : { title }) };
  };

  const start = async (part: Part, url: string | null): Promise<PartText> => {
    const { kind, content, file, reading } = part;
    if (file !== undefined)
      return readFile(
        { ...hintsOf(file), file: readers.pathOf(file.key) },
        { from: 'file', name: nameOf(file.name) },
      );
    if (kind === 'url') return readAddress(content.trim());
    if (kind === 'binary') throw notText();
    if (kind === 'html') return readPage(content, url);
    const title = reading?.title;
    return { text: content, ...(title === undefined ? {} : { title }) };
  };

  const read: PartReader['read'] = (part, url) => {
    const before = readings.get(part);
    if (before !== undefined) return before;
    const begun = start(part, url);
    readings.set(part, begun);
    return begun;
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
