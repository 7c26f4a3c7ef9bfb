// Originals of uploaded documents, as the store knows them. Their bytes lie in the store of blobs, under the same key.

export interface FileRecord {
  key: string;
  name: string;
  mimeType: string | null;
  bytes: number;
}

/** A file that was received and belongs to no document yet. */
export interface SubmittedFile extends FileRecord {
  sha256: string;
  /** As its sender wants it called. */
  fileType: string | null;
}

/** For links that are their own proof, and for what lies on the disk. */
export interface FileStore {
  /** The original of the document with this id, whoever may see it; null: there is none. */
  ofDocument(id: string): Promise<FileRecord | null>;
  /** Those of these keys that the store knows. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
}
