// Plans the merge of a re-sent text: compared sentence by sentence.

import {
  commonBeginning,
  isWithin,
  overlap,
  sentenceUnits,
  sharedEnds,
  shareOf,
  type TextUnits,
} from './compare-units.ts';
import { isEditedWhole, REPEATED, SAME_ENDS, type SharedPart } from './thresholds.ts';

/** `from`: the start of the new part of the incoming text. */
export type TextPlan =
  | { readonly decision: 'identical' | 'superset' | 'replaced' }
  | { readonly decision: 'appended'; readonly from: number };

/** Both with one kind of line end. */
export const planTexts = (stored: string, incoming: string): TextPlan => {
  if (continuesText(stored.trim(), incoming.trim())) return { decision: 'superset' };
  const old = sentenceUnits(stored);
  const sent = sentenceUnits(incoming);
  if (commonBeginning(old.keys, sent.keys) === old.keys.length) return { decision: 'superset' };
  if (isWithin(old.keys, sent.keys) && lengthOfFirst(old, old.keys.length) >= REPEATED)
    return { decision: 'superset' };
  const repeated = overlap(old.keys, sent.keys);
  const long = lengthOfFirst(sent, repeated) >= REPEATED;
  if (long && repeated < sent.keys.length) return { decision: 'appended', from: sent.starts[repeated] ?? 0 };
  if (isEdited(shareOf(old, sent), sharedEnds(stored.trim(), incoming.trim())))
    return { decision: 'replaced' };
  if (long) return { decision: 'identical' };
  return { decision: 'appended', from: 0 };
};

/** True if the incoming text begins with the whole old text and does not continue its last word. */
const continuesText = (stored: string, incoming: string): boolean => {
  if (!incoming.startsWith(stored)) return false;
  const seam = incoming.slice(stored.length - 1, stored.length + 1);
  return !/^[\p{L}\p{N}]{2}$/u.test(seam);
};

const lengthOfFirst = ({ lengths }: TextUnits, count: number): number =>
  lengths.slice(0, count).reduce((total, length) => total + length, 0);

/** By equal sentences; or by equal ends that are long or next to an equal sentence: "…likes tea" is not an edit of "…likes coffee". */
const isEdited = (sentences: SharedPart, ends: ReturnType<typeof sharedEnds>): boolean => {
  if (isEditedWhole(sentences)) return true;
  return (ends.length >= SAME_ENDS || sentences.kept > 0) && isEditedWhole(ends);
};
