// The amount of content that a call adds, for the counts of usage and for quotas.

export interface Added {
  readonly documents: number;
  readonly bytes: number;
}

export const addedText = (content: string): Added => ({ documents: 1, bytes: Buffer.byteLength(content) });

export const addedTogether = (all: readonly Added[]): Added => ({
  documents: all.reduce((sum, { documents }) => sum + documents, 0),
  bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
});
