// A ZIP archive, with limits on its entries and its unpacked size that hold before anything is unpacked.
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import type { IngestError } from '../../../core/errors.ts';
import { asFailure, failure } from '../failures.ts';

export interface Archive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked as it is read; its bytes count against the limit of the whole archive. */
  open(name: string): Promise<AsyncIterable<Buffer>>;
  /** The first bytes of an entry as text, one character for each byte. */
  start(name: string, most: number): Promise<string>;
  close(): void;
}

const MOST_ENTRIES = 5_000;
const MOST_BYTES = 300_000_000;

export const openArchive = async (file: string): Promise<Archive> => {
  const zip = await openZip(file);
  try {
    return readArchive(zip, await readEntries(zip));
  } catch (error) {
    zip.close();
    throw error;
  }
};

/** Opens the archive for as long as `use` runs. */
export const withArchive = async <T>(
  file: string | null,
  use: (archive: Archive) => Promise<T>,
): Promise<T> => {
  if (file === null) throw failure('corrupt_file', { what: 'An archive cannot be sent as a text.' });
  const archive = await openArchive(file);
  try {
    return await use(archive);
  } finally {
    archive.close();
  }
};

const openZip = async (file: string): Promise<ZipFile> => {
  const { openPromise } = await import('yauzl');
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch (error) {
    throw failure('corrupt_file', { cause: error });
  }
};

const readEntries = async (zip: ZipFile): Promise<Map<string, Entry>> => {
  if (zip.entryCount > MOST_ENTRIES) throw failure('archive_too_many_entries');
  const entries = new Map<string, Entry>();
  let declared = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      declared += entry.uncompressedSize;
      if (declared > MOST_BYTES) throw failure('archive_too_large');
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw listingFailure(error);
  }
  return entries;
};

const listingFailure = (error: unknown): IngestError => {
  const message = error instanceof Error ? error.message : '';
  const unsafe = /relative path|absolute path|invalid characters/.test(message);
  return asFailure(unsafe ? 'unsafe_archive' : 'corrupt_file', error);
};

const readArchive = (zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive => {
  let unpacked = 0;

  async function* counted(stream: Readable): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        unpacked += bytes.length;
        if (unpacked > MOST_BYTES) throw failure('archive_too_large');
        yield bytes;
      }
    } catch (error) {
      throw asFailure('corrupt_file', error);
    } finally {
      stream.destroy();
    }
  }

  const open = async (name: string): Promise<AsyncIterable<Buffer>> => {
    const entry = entries.get(name);
    if (entry === undefined) throw failure('corrupt_file', { cause: new Error(`There is no ${name}.`) });
    if (entry.isEncrypted()) throw failure('encrypted_file');
    try {
      return counted(await zip.openReadStreamPromise(entry));
    } catch (error) {
      throw asFailure('corrupt_file', error);
    }
  };

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    open,
    async start(name, most) {
      for await (const bytes of await open(name)) return bytes.toString('latin1', 0, most);
      return '';
    },
    close: () => zip.close(),
  };
};
