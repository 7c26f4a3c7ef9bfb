// The rows of `npm run test:scale`, in the order in which they run.
import type { RowOptions, RowResult } from '../row.ts';
import { fairnessRow } from './fairness.ts';
import { heldRow } from './held.ts';
import { killsRow } from './kills.ts';
import { silenceRow } from './silence.ts';

export const SCALE_ROWS: Readonly<Record<string, (options: RowOptions) => Promise<RowResult>>> = {
  silence: silenceRow,
  fairness: fairnessRow,
  held: heldRow,
  kills: killsRow,
};
