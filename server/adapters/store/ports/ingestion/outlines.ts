// Documents of earlier releases, which have no title and summary yet.
import type { Outline } from '../../../../lib/text/outline/draw-outline.ts';

export interface OutlineJob {
  n: number;
  revision: number;
  /** The title that its passages have, stated by the text or given by the sender. */
  title: string | null;
  /** The name and the title of the file that it was read from. */
  reading: { name: string | null; title: string | null };
  filepath: string | null;
  /** The first ones, in reading order. */
  passages: readonly { text: string; role: string | null; speaker: string | null; flags: number }[];
  /** The content of a document without passages, which only supports direct memories; otherwise null. */
  content: string | null;
}

/** Never handed to a caller: it sees every tag. */
export interface OutlineStore {
  withoutOutline(limit: number): Promise<OutlineJob[]>;
  /** Only for documents that still have none and whose content is the same. */
  storeOutlines(outlines: readonly { n: number; revision: number; outline: Outline }[]): Promise<void>;
}
