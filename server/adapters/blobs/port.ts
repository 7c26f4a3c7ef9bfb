// The originals of uploaded files. Each upload has a blob of its own: equal files do not share one, so that deleting a
// document really erases its file, and an upload reveals nothing about the files of others.
import type { Readable } from 'node:stream';

export interface ReceivedBlob {
  readonly key: string;
  readonly bytes: number;
  /** The hash of the content, in hexadecimal. */
  readonly sha256: string;
}

export interface OpenedBlob {
  readonly bytes: number;
  readonly stream: Readable;
}

export interface BlobStore {
  /** Durable when it resolves; rejects without leaving anything. It has no document until it is kept. */
  receive(source: AsyncIterable<Uint8Array>): Promise<ReceivedBlob>;
  /** Marks that it belongs to a document. */
  keep(key: string): Promise<void>;
  /** A missing blob counts as erased. */
  erase(key: string): Promise<void>;
  /** Null: there is no such blob. */
  open(key: string): Promise<OpenedBlob | null>;
  /** For readers in other processes: the path of a file with its content, for as long as `use` runs. */
  lend<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** The sentence of a bucket that does not answer; null: it answers. Missing: the files are on this machine. */
  readonly trouble?: () => string | null;
  /** Runs before any upload: erases blobs without a document that an earlier boot left behind. */
  settle(taken: (keys: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}
