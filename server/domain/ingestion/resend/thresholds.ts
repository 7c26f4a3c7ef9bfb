// Thresholds that distinguish an edited whole from a new part. In doubt a text is appended, because then nothing is lost.

/** An edited whole still has at least this share of the old text… */
export const KEPT = 0.5;
/** …or this share of the old text, which is at the same time this share of the new one. */
const KEPT_BOTH = 0.35;

/** A sentence or message shorter than this is no evidence: "ok", "Thanks.", "---" occur everywhere. */
export const EVIDENCE = 8;

/** Small edits may change every sentence: then the common beginning and end count, with certainty if they are this long. */
export const SAME_ENDS = 200;

/** A repetition of the last stored text is ignored if it is this long; a short repetition may be intended. */
export const REPEATED = 40;

/** An incoming text that shares this many first messages with the conversation is the whole and not a new part. */
export const SAME_BEGINNING = 2;

export interface SharedPart {
  /** The share of the stored text that is in the incoming one, and the share of the incoming one that is old. */
  readonly kept: number;
  readonly reused: number;
}

export const isEditedWhole = ({ kept, reused }: SharedPart): boolean =>
  kept >= KEPT || (kept >= KEPT_BOTH && reused >= KEPT_BOTH);
