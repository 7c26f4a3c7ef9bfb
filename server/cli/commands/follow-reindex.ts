// Follows a reindex to its end: one progress line, and a failure if nothing moves.
import type { z } from 'zod';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import { pause } from '../../lib/async/wait.ts';
import type { CommandWork } from '../command.ts';
import { CommandFailure } from '../failure.ts';

export type SpacesAnswer = z.output<typeof spacesStatus.output>;

const POLL_MS = 250;
/** The server needs a moment to switch to the new space after the last chunk. */
const SETTLE_MS = 5_000;
/** A reindex without progress for this long is reported as a failure. */
const STUCK_MS = 600_000;

export const embedderName = ({ embedder, model }: { embedder: string; model: string }): string =>
  `${embedder} ${model}`;

const reindexingText = ({ reindexing, wanted, trouble }: SpacesAnswer): string => {
  const { done, total } = reindexing ?? { done: 1, total: 1 };
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const waits = trouble === null ? '' : ` Waiting: ${trouble}`;
  return `Embedding with ${embedderName(wanted)}: ${done} of ${total} chunks, ${percent} % …${waits}`;
};

const stuckFailure = (spaces: SpacesAnswer): CommandFailure =>
  new CommandFailure(
    `The reindex has made no progress for ten minutes${spaces.trouble === null ? '.' : `: ${spaces.trouble}`} The server goes on with it by itself, and searches use the former vectors meanwhile; "memoir status" shows the progress.`,
    { facts: spaces },
  );

const untilStill = async ({ client, print }: CommandWork, started: SpacesAnswer): Promise<SpacesAnswer> => {
  let now = started;
  let moved = performance.now();
  const rested = () => performance.now() - moved;
  while (now.reindexing !== null || (now.reindexNeeded && rested() < SETTLE_MS)) {
    if (rested() > STUCK_MS) throw stuckFailure(now);
    print.progress(reindexingText(now));
    await pause(POLL_MS);
    const next = await client.call(spacesStatus, {});
    if (next.reindexing?.done !== now.reindexing?.done) moved = performance.now();
    now = next;
  }
  return now;
};

/** The state after the switch to the new vectors. */
export const untilReindexed = async (work: CommandWork, started: SpacesAnswer): Promise<SpacesAnswer> => {
  const after = await untilStill(work, started);
  if (!after.reindexNeeded && after.active !== null) return after;
  throw new CommandFailure(
    `The reindex ended without switching to ${embedderName(after.wanted)}: ${after.trouble ?? 'look at the log of the server.'}`,
    { facts: after },
  );
};

export const switchedLine = ({ active }: SpacesAnswer): string =>
  active === null ? 'Searches use words only.' : `Done: searches now use ${embedderName(active)}.`;
