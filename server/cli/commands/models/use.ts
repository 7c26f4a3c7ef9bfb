// memoir models use: changes the embedding model, and follows the reindex.
import type { Command } from 'commander';
import { useModel } from '../../../../tools/models/use.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { embedderName, switchedLine, untilReindexed } from '../follow-reindex.ts';

const BUILTIN = 'builtin';

const useOne = async (work: CommandWork, name: string): Promise<void> => {
  const { client, print } = work;
  const started = await client.call(useModel, { name });
  if (!started.reindexNeeded && started.reindexing === null)
    return print.answer(started, [`Nothing to do: searches already use ${embedderName(started.wanted)}.`]);
  const after = await untilReindexed(work, started);
  const back = name === BUILTIN ? [] : [`To go back: memoir models use ${BUILTIN}`];
  print.answer(after, [switchedLine(after), ...back]);
};

export const modelsUseCommand = (models: Command, host: Host): void => {
  const command = models
    .command('use <name>')
    .summary('search with another model')
    .description(
      'Embeds all stored content with an installed model, or with the builtin embedder ("builtin"). Searches continue with the former vectors and switch at the end. If this command is stopped, a running server still finishes the change.',
    );
  examples(withCommon(command), ['memoir models use minilm', 'memoir models use builtin']).action(
    (name: string, options: CommonOptions) =>
      withClient(options, host, (work) => useOne(work, name), { creates: true }),
  );
};
