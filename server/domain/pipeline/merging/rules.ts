// When what is sent again is an edited whole and when a new part: all the numbers, in one place. In doubt a text is appended, for nothing is lost then.

/** An edited whole still has at least this share of the old text… */
export const KEPT = 0.5;
/** …or this share of the old text, which is at the same time this share of the new one. */
export const KEPT_BOTH = 0.35;

/** A sentence or message shorter than this is no evidence: "ok", "Thanks.", "---" occur everywhere. */
export const EVIDENCE = 8;

/** Small edits may touch every sentence: then what both texts begin and end with counts, surely if it is this long. */
export const SAME_ENDS = 200;

/** What only repeats the last of the stored text adds nothing, if it is this long; a short repetition may be meant. */
export const REPEATED = 40;

/** A part that begins like the whole conversation, by this many messages, is the whole and not a new part. */
export const SAME_BEGINNING = 2;

export interface Share {
  /** How much of the stored text is in the incoming one, and how much of the incoming one is old. */
  readonly kept: number;
  readonly reused: number;
}

export const isEditedWhole = ({ kept, reused }: Share): boolean =>
  kept >= KEPT || (kept >= KEPT_BOTH && reused >= KEPT_BOTH);
