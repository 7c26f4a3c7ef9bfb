// memoir reindex: embeds everything again with the embedder that the settings ask for, while searches go on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import { reindexSpaces } from '../../../tools/spaces/reindex.ts';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import { type Work, withClient } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';

type Spaces = z.output<typeof spacesStatus.output>;

const POLL_MS = 250;
/** The server needs a moment to take up the new space after the last chunk. */
const SETTLE_MS = 5_000;
/** A reindex that does not move for so long is worth a look at the log. */
const STUCK_MS = 600_000;

const nameOf = ({ embedder, model }: { embedder: string; model: string }): string => `${embedder} ${model}`;

const show = ({ reindexing, wanted, trouble }: Spaces): string => {
  const { done, total } = reindexing ?? { done: 1, total: 1 };
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const waits = trouble === null ? '' : ` Waiting: ${trouble}`;
  return `Embedding with ${nameOf(wanted)}: ${done} of ${total} chunks, ${percent} % …${waits}`;
};

const stuck = (spaces: Spaces): CommandFailure =>
  new CommandFailure(
    "The reindex has not moved for ten minutes. It is still running; the server's log may say what it waits for.",
    { facts: spaces },
  );

async function untilDone({ client, print }: Work, started: Spaces): Promise<Spaces> {
  let now = started;
  let moved = performance.now();
  const rested = () => performance.now() - moved;
  while (now.reindexing !== null || (now.reindexNeeded && rested() < SETTLE_MS)) {
    if (rested() > STUCK_MS) throw stuck(now);
    print.progress(show(now));
    await sleep(POLL_MS);
    const next = await client.call(spacesStatus, {});
    if (next.reindexing?.done !== now.reindexing?.done) moved = performance.now();
    now = next;
  }
  return now;
}

async function reindex(work: Work): Promise<void> {
  const { client, print } = work;
  const before = await client.call(spacesStatus, {});
  if (!before.reindexNeeded && before.reindexing === null) {
    const lines = [`Nothing to do: ${nameOf(before.wanted)} already serves.`];
    return print.answer(before, lines);
  }
  const after = await untilDone(
    work,
    before.reindexing === null ? await client.call(reindexSpaces, {}) : before,
  );
  if (after.reindexNeeded || after.active === null) {
    throw new CommandFailure(
      `The reindex ended without changing over to ${nameOf(after.wanted)}: ${after.trouble ?? "the server's log names the cause."}`,
      { facts: after },
    );
  }
  print.answer(after, [`Done: searches now use ${nameOf(after.active)}.`]);
}

export function reindexCommand(program: Command, host: Host): void {
  const command = program
    .command('reindex')
    .summary('embed everything again with the configured embedder')
    .description(
      'Embeds everything that is stored with the embedder that the settings ask for. Searches go on with the old vectors and change over at the end. Ending this command does not end the reindex of a running server.',
    );
  examples(withCommon(command), ['memoir reindex', 'memoir reindex --json']).action(
    (options: CommonOptions) => withClient(options, host, reindex),
  );
}
