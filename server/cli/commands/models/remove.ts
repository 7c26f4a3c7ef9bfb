// memoir models remove: erases the files of a model.
import type { Command } from 'commander';
import { removeModel } from '../../../../tools/models/remove.ts';
import { withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';

export const modelsRemoveCommand = (models: Command, host: Host): void => {
  const command = models
    .command('remove <name>')
    .summary('erase a model')
    .description('Erases the files of a model that searches do not use.');
  examples(withCommon(command), ['memoir models remove minilm']).action(
    (name: string, options: CommonOptions) =>
      withClient(options, host, async ({ client, print }) => {
        const answer = await client.call(removeModel, { name });
        print.answer(answer, [`The model ${name} is removed.`]);
      }),
  );
};
