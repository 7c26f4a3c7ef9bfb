// Splits a document into the batches of single questions, and halves a batch that is too long.

import type { Utterance } from '../ports/memory-reader.ts';
import { utteranceParts } from './utterance-parts.ts';

/** Consecutive utterances up to a size. A longer utterance is cut into parts that keep its position. */
export const readerBatches = (utterances: readonly Utterance[], characters: number): Utterance[][] => {
  const batches: Utterance[][] = [];
  let batch: Utterance[] = [];
  let size = 0;
  for (const utterance of utterances.flatMap((one) => utteranceParts(one, characters))) {
    if (batch.length > 0 && size + utterance.text.length > characters) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(utterance);
    size += utterance.text.length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
};

/** Half of an utterance has at least this many characters. */
const SHORTEST_HALF = 200;

/** Two halves by size; null for a batch that is too short to halve. */
export const halvedBatch = (batch: readonly Utterance[]): [Utterance[], Utterance[]] | null => {
  const [only] = batch;
  if (only && batch.length === 1) {
    const parts =
      only.text.length < SHORTEST_HALF * 2 ? [] : utteranceParts(only, Math.ceil(only.text.length / 2));
    const middle = Math.ceil(parts.length / 2);
    return parts.length < 2 ? null : [parts.slice(0, middle), parts.slice(middle)];
  }
  if (batch.length === 0) return null;
  const half = batch.reduce((sum, { text }) => sum + text.length, 0) / 2;
  let size = 0;
  const found = batch.findIndex(({ text }) => {
    size += text.length;
    return size >= half;
  });
  const at = Math.min(Math.max(1, found), batch.length - 1);
  return [batch.slice(0, at), batch.slice(at)];
};
