// memoir reindex: embeds everything again with the configured embedder, while searches continue.

import type { Command } from 'commander';
import { reindexSpaces } from '../../../tools/spaces/reindex.ts';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import { type CommandWork, withClient } from '../command.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';
import { embedderName, switchedLine, untilReindexed } from './follow-reindex.ts';

const reindexAll = async (work: CommandWork): Promise<void> => {
  const { client, print } = work;
  const before = await client.call(spacesStatus, {});
  if (!before.reindexNeeded && before.reindexing === null) {
    const lines = [`Nothing to do: searches already use ${embedderName(before.wanted)}.`];
    return print.answer(before, lines);
  }
  const started = before.reindexing === null ? await client.call(reindexSpaces, {}) : before;
  const after = await untilReindexed(work, started);
  print.answer(after, [switchedLine(after)]);
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
