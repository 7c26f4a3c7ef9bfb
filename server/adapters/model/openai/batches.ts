// How much of a document goes into one question, and how a question that is too long is halved.

import type { Utterance } from '../port.ts';
import { passageParts } from './parts.ts';

/** Consecutive utterances up to a size; one that alone is longer is cut, its parts keep its position. */
export function batchesOf(utterances: readonly Utterance[], characters: number): Utterance[][] {
  const batches: Utterance[][] = [];
  let batch: Utterance[] = [];
  let size = 0;
  for (const utterance of utterances.flatMap((one) => passageParts(one, characters))) {
    if (batch.length > 0 && size + utterance.text.length > characters) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(utterance);
    size += utterance.text.length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/** Below this, halving helps nobody. */
const SHORTEST = 200;

/** Two halves by size; null where there is nothing left to halve. */
export function halved(batch: readonly Utterance[]): [Utterance[], Utterance[]] | null {
  const [only] = batch;
  if (only && batch.length === 1) {
    const parts = only.text.length < SHORTEST * 2 ? [] : passageParts(only, Math.ceil(only.text.length / 2));
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
}
