// The originals of uploaded files. Each upload has a blob of its own: equal files do not share one, so that deleting a
// document really erases its file, and nobody can tell from an upload whether somebody else has the same.
import type { Readable } from 'node:stream';

export interface ReceivedBlob {
  readonly key: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
}

export interface OpenedBlob {
  readonly bytes: number;
  readonly stream: Readable;
}

export interface BlobStore {
  /** Durable when it resolves; rejects without leaving anything. It stays loose until it is kept. */
  receive(source: AsyncIterable<Uint8Array>): Promise<ReceivedBlob>;
  /** A document has it now. */
  keep(key: string): Promise<void>;
  /** One that is not there is erased already. */
  erase(key: string): Promise<void>;
  /** Null: it is not there. */
  open(key: string): Promise<OpenedBlob | null>;
  /** For readers in other processes. */
  pathOf(key: string): string;
  /** Before anything is received: erases what an earlier boot left loose, but for what a document has after all. */
  settle(taken: (keys: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}
