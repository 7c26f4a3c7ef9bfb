// What becomes of a text when another is sent for it: compared sentence by sentence.
import { isEditedWhole, REPEATED, SAME_ENDS, type Share } from './rules.ts';
import { commonBeginning, isWithin, overlap, sentencesOf, sharedEnds, shareOf, type Units } from './units.ts';

/** `from`: where the new part of the incoming text begins. */
export type TextPlan =
  | { readonly decision: 'identical' | 'superset' | 'replaced' }
  | { readonly decision: 'appended'; readonly from: number };

/** Both with one kind of line end. */
export function planTexts(stored: string, incoming: string): TextPlan {
  if (continues(stored.trim(), incoming.trim())) return { decision: 'superset' };
  const old = sentencesOf(stored);
  const sent = sentencesOf(incoming);
  if (commonBeginning(old.keys, sent.keys) === old.keys.length) return { decision: 'superset' };
  if (isWithin(old.keys, sent.keys) && lengthOf(old, old.keys.length) >= REPEATED)
    return { decision: 'superset' };
  const repeated = overlap(old.keys, sent.keys);
  const long = lengthOf(sent, repeated) >= REPEATED;
  if (long && repeated < sent.keys.length) return { decision: 'appended', from: sent.starts[repeated] ?? 0 };
  if (isEdited(shareOf(old, sent), sharedEnds(stored.trim(), incoming.trim())))
    return { decision: 'replaced' };
  if (long) return { decision: 'identical' };
  return { decision: 'appended', from: 0 };
}

/** Begins with all of the old text, not with a part of its last word. */
function continues(stored: string, incoming: string): boolean {
  if (!incoming.startsWith(stored)) return false;
  const seam = incoming.slice(stored.length - 1, stored.length + 1);
  return !/^[\p{L}\p{N}]{2}$/u.test(seam);
}

const lengthOf = ({ lengths }: Units, count: number): number =>
  lengths.slice(0, count).reduce((total, length) => total + length, 0);

/** By equal sentences; or by equal ends, long ones or beside an equal sentence: "…likes tea" is no edit of "…likes coffee". */
function isEdited(sentences: Share, ends: ReturnType<typeof sharedEnds>): boolean {
  if (isEditedWhole(sentences)) return true;
  return (ends.length >= SAME_ENDS || sentences.kept > 0) && isEditedWhole(ends);
}
