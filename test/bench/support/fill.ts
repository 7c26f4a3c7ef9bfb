// Fills a Memoir through its API as an importer does: in batches, with few unprocessed documents.
import { setTimeout as sleep } from 'node:timers/promises';
import { asked, connect } from './connection.ts';
import type { Target } from './load.ts';
import { textOf } from './texts.ts';

export const CHARACTERS = 1000;
const PER_BATCH = 200;
const MOST_WAITING = 2000;
const PAUSE_MS = 20;

/** A Memoir that is filled. */
export interface Filled extends Target {
  queue(): Unfinished | Promise<Unfinished>;
}

interface Unfinished {
  readonly unfinished: number;
}

export interface Filling {
  from: number;
  count: number;
  tagOf: (number: number) => string;
  /** Draws memories from them as well; otherwise they are only searchable. */
  remembered?: boolean;
}

/** Documents without memories: one chunk and one vector each. */
export const SEARCHED_ONLY = { taskType: 'superrag' } as const;

/** Texts of 1,000 characters: one chunk each. Returns when the last one was accepted. */
export const fill = async (server: Filled, filling: Filling): Promise<void> => {
  const { from, count, tagOf, remembered = false } = filling;
  const connection = connect(server.url, server.key);
  try {
    for (let at = from; at < from + count; at += PER_BATCH) {
      const size = Math.min(PER_BATCH, from + count - at);
      const documents = Array.from({ length: size }, (_, i) => ({
        content: textOf(at + i, CHARACTERS),
        containerTag: tagOf(at + i),
        ...(remembered ? {} : SEARCHED_ONLY),
        metadata: { number: at + i, half: (at + i) % 2 === 0 ? 'even' : 'odd' },
      }));
      await asked(connection, {
        method: 'POST',
        path: '/v3/documents/batch',
        body: JSON.stringify({ documents }),
      });
      while ((await server.queue()).unfinished > MOST_WAITING) await sleep(PAUSE_MS);
    }
  } finally {
    connection.close();
  }
};
