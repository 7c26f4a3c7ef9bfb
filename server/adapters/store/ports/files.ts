// The records of uploaded originals. Their bytes are blobs under the same key.

export interface FileRecord {
  key: string;
  name: string;
  mimeType: string | null;
  bytes: number;
}

/** A file that was received and belongs to no document yet. */
export interface SubmittedFile extends FileRecord {
  sha256: string;
  /** The name that the sender gave. */
  fileType: string | null;
}

/** For signed links, and for the check of files on the disk. */
export interface FileStore {
  /** The original of the document with this id, without a check of the scope; null: there is none. */
  ofDocument(id: string): Promise<FileRecord | null>;
  /** The keys among these that exist in the store. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
}
