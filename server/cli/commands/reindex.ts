// memoir reindex: embeds everything again with the configured embedder, while searches continue.

import type { Command } from 'commander';
import type { z } from 'zod';
import { reindexSpaces } from '../../../tools/spaces/reindex.ts';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import { pause } from '../../lib/async/wait.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';

type Spaces = z.output<typeof spacesStatus.output>;

const POLL_MS = 250;
/** The server needs a moment to switch to the new space after the last chunk. */
const SETTLE_MS = 5_000;
/** A reindex without progress for this long is reported as a failure. */
const STUCK_MS = 600_000;

const embedderName = ({ embedder, model }: { embedder: string; model: string }): string =>
  `${embedder} ${model}`;

const progressText = ({ reindexing, wanted, trouble }: Spaces): string => {
  const { done, total } = reindexing ?? { done: 1, total: 1 };
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const waits = trouble === null ? '' : ` Waiting: ${trouble}`;
  return `Embedding with ${embedderName(wanted)}: ${done} of ${total} chunks, ${percent} % …${waits}`;
};

const stuckFailure = (spaces: Spaces): CommandFailure =>
  new CommandFailure(
    `The reindex has made no progress for ten minutes${spaces.trouble === null ? '.' : `: ${spaces.trouble}`} The server goes on with it by itself, and searches use the former vectors meanwhile; "memoir status" shows the progress.`,
    { facts: spaces },
  );

const untilReindexed = async ({ client, print }: CommandWork, started: Spaces): Promise<Spaces> => {
  let now = started;
  let moved = performance.now();
  const rested = () => performance.now() - moved;
  while (now.reindexing !== null || (now.reindexNeeded && rested() < SETTLE_MS)) {
    if (rested() > STUCK_MS) throw stuckFailure(now);
    print.progress(progressText(now));
    await pause(POLL_MS);
    const next = await client.call(spacesStatus, {});
    if (next.reindexing?.done !== now.reindexing?.done) moved = performance.now();
    now = next;
  }
  return now;
};

const reindexAll = async (work: CommandWork): Promise<void> => {
  const { client, print } = work;
  const before = await client.call(spacesStatus, {});
  if (!before.reindexNeeded && before.reindexing === null) {
    const lines = [`Nothing to do: searches already use ${embedderName(before.wanted)}.`];
    return print.answer(before, lines);
  }
  const after = await untilReindexed(
    work,
    before.reindexing === null ? await client.call(reindexSpaces, {}) : before,
  );
  if (after.reindexNeeded || after.active === null) {
    throw new CommandFailure(
      `The reindex ended without switching to ${embedderName(after.wanted)}: ${after.trouble ?? 'look at the log of the server.'}`,
      { facts: after },
    );
  }
  print.answer(after, [`Done: searches now use ${embedderName(after.active)}.`]);
};

export const reindexCommand = (program: Command, host: Host): void => {
  const command = program
    .command('reindex')
    .summary('embed everything again with the configured embedder')
    .description(
      'Embeds all stored content again with the embedder from the settings. Searches continue with the old vectors and switch at the end. If this command is stopped, a running server still finishes the reindex.',
    );
  examples(withCommon(command), ['memoir reindex', 'memoir reindex --json']).action(
    (options: CommonOptions) => withClient(options, host, reindexAll),
  );
};
