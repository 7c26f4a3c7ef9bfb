// The ZIP archive that an office file is, with everything about it bounded before anything is unpacked.
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { IngestError } from '../../../errors.ts';
import { failure, failureOf } from '../failures.ts';

export interface Archive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked as it is read; its bytes count against the limit of the whole archive. */
  open(name: string): Promise<AsyncIterable<Buffer>>;
  close(): void;
}

const MOST_ENTRIES = 5_000;
const MOST_BYTES = 300_000_000;

export async function openArchive(file: string): Promise<Archive> {
  const zip = await openZip(file);
  try {
    return archiveOf(zip, await entriesOf(zip));
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch (error) {
    throw failure('corrupt_file', { cause: error });
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
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
}

function listingFailure(error: unknown): IngestError {
  const said = error instanceof Error ? error.message : '';
  const unsafe = /relative path|absolute path|invalid characters/.test(said);
  return failureOf(unsafe ? 'unsafe_archive' : 'corrupt_file', error);
}

function archiveOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive {
  let unpacked = 0;

  async function* counted(stream: Readable): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        unpacked += bytes.length;
        if (unpacked > MOST_BYTES) throw failure('archive_too_large');
        yield bytes;
      }
    } catch (error) {
      throw failureOf('corrupt_file', error);
    } finally {
      stream.destroy();
    }
  }

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    async open(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw failure('corrupt_file', { cause: new Error(`There is no ${name}.`) });
      if (entry.isEncrypted()) throw failure('encrypted_file');
      try {
        return counted(await zip.openReadStreamPromise(entry));
      } catch (error) {
        throw failureOf('corrupt_file', error);
      }
    },
    close: () => zip.close(),
  };
}
