// Reads the parts of a document: files, addresses and pages through their readers, text directly. An unreadable part gives the reason.
import type {
  ContentHints,
  ContentPart,
  ContentReader,
  ReadJob,
  ReadOwner,
  ReadProgress,
} from '../../../adapters/extract/port.ts';
import type { Web, WebFile } from '../../../adapters/fetch/port.ts';
import type { ClaimedFile } from '../../../adapters/store/ports/ingestion/claims.ts';
import { IngestError } from '../../../core/errors.ts';
import { defined } from '../../../lib/defined.ts';
import type { Part } from './content-parts.ts';
import { type Origin, partOfContent, partOfVideo } from './extracted-part.ts';

export interface PartText {
  readonly text: string;
  readonly title?: string;
  /** The part that replaces the file or the address. */
  readonly becomes?: Part;
}

export interface PartReader {
  /** Reads each part once, even if it is requested again. `url`: the address of a page. */
  read(part: Part, url: string | null): Promise<PartText>;
  /** The reason of a permanent failure; null: the part is readable. Rejects on a failure that may pass. */
  trouble(part: Part, url: string | null): Promise<IngestError | null>;
}

/** The readers of content that is not plain text. */
export interface Readers {
  content: Pick<ContentReader, 'read'>;
  web: Pick<Web, 'open' | 'discard'>;
  /** Lends the path of the original with this key. */
  lend<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
}

/** The kind that the sender declares; it overrides the recognised kind only for text. */
const hintsOf = ({ name, mimeType, fileType }: ClaimedFile): ContentHints => ({
  fileName: name,
  ...(mimeType === null ? {} : { mimeType }),
  ...(fileType === 'text' ? { kind: 'text' } : {}),
});

/** The file name without its extension. */
export const withoutExtension = (name: string): string | undefined =>
  name.replace(/\.[^.]{1,10}$/, '').trim() || undefined;

const joinContentParts = (parts: readonly ContentPart[]): string => parts.map(({ text }) => text).join('');

interface ReaderContext {
  readers: Readers;
  signal: AbortSignal;
  /** A retryable failure counts as permanent after the last attempt. */
  lastTry: boolean;
  progress: (progress: ReadProgress) => void;
  /** The owner of the turn, when files wait to be read. */
  owner: ReadOwner;
}

const readJob = async ({ readers, signal, progress, owner }: ReaderContext, job: ReadJob) => {
  const parts: ContentPart[] = [];
  const content = await readers.content.read(job, {
    signal,
    progress,
    owner,
    batch: (more) => {
      for (const part of more) parts.push(part);
    },
  });
  return { content, parts };
};

const become = (part: Part): PartText => ({
  text: part.content,
  becomes: part,
  ...defined({ title: part.reading?.title }),
});

const readFile = async (context: ReaderContext, job: ReadJob, origin: Origin): Promise<PartText> => {
  const { content, parts } = await readJob(context, job);
  return become(partOfContent(content, parts, origin));
};

const readWebFile = async (context: ReaderContext, web: WebFile): Promise<PartText> => {
  const { file, url, fileName, mimeType, charset, sheet, title } = web;
  const job: ReadJob = {
    file,
    url,
    ...defined({ fileName, mimeType, charset }),
    ...(sheet ? { kind: 'csv' as const } : {}),
  };
  return readFile(context, job, {
    from: 'web',
    name: title ?? withoutExtension(fileName ?? ''),
    type: sheet ? 'google_sheet' : undefined,
  });
};

const readAddress = async (context: ReaderContext, address: string): Promise<PartText> => {
  const { web } = context.readers;
  const found = await web.open(address, context.signal);
  if (found.what === 'video') return become(partOfVideo(found));
  try {
    return await readWebFile(context, found);
  } finally {
    await web.discard(found);
  }
};

const readHtmlPart = async (context: ReaderContext, text: string, url: string | null): Promise<PartText> => {
  const { content, parts } = await readJob(context, {
    kind: 'html',
    text,
    ...(url === null ? {} : { url }),
  });
  return { text: joinContentParts(parts), ...defined({ title: content.title }) };
};

const startReading = async (context: ReaderContext, part: Part, url: string | null): Promise<PartText> => {
  const { kind, content, file, reading } = part;
  if (file !== undefined)
    return context.readers.lend(file.key, (path) =>
      readFile(
        context,
        { ...hintsOf(file), file: path },
        { from: 'file', name: withoutExtension(file.name) },
      ),
    );
  if (kind === 'url') return readAddress(context, content.trim());
  if (kind === 'html') return readHtmlPart(context, content, url);
  return { text: content, ...defined({ title: reading?.title }) };
};

export const createPartReader = (context: ReaderContext): PartReader => {
  const { signal, lastTry } = context;
  const readings = new WeakMap<Part, Promise<PartText>>();

  const read: PartReader['read'] = (part, url) => {
    const before = readings.get(part);
    if (before !== undefined) return before;
    const begun = startReading(context, part, url);
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
