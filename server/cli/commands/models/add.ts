// memoir models add: installs a model, and follows the download.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { addModel } from '../../../../tools/models/add.ts';
import { listModels } from '../../../../tools/models/list.ts';
import { pause } from '../../../lib/async/wait.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { isRemote } from '../../connection/connect.ts';
import { CommandFailure, misused } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { progressBar } from '../../output/progress-bar.ts';

interface AddModelOptions extends CommonOptions {
  from?: string;
}

type ModelList = z.output<typeof addModel.output>;
type ListedModel = ModelList['models'][number];

const POLL_MS = 250;

const modelNamed = ({ models }: ModelList, name: string): ListedModel => {
  const found = models.find((model) => model.name === name);
  if (!found) throw new CommandFailure(`The model ${name} is not in the list any more.`);
  return found;
};

const installingText = ({ name, installing }: ListedModel): string => {
  if (installing === null || installing.step === 'runtime')
    return `Installing the packages that run ${name} …`;
  return progressBar(installing.bytes, installing.total ?? installing.bytes, name);
};

const untilInstalled = async ({ client, print }: CommandWork, started: ListedModel): Promise<ListedModel> => {
  let model = started;
  while (model.installing !== null) {
    print.progress(installingText(model));
    await pause(POLL_MS);
    model = modelNamed(await client.call(listModels, {}), model.name);
  }
  if (model.trouble !== null || !model.installed)
    throw new CommandFailure(`The model ${model.name} was not installed. ${model.trouble ?? ''}`.trim(), {
      facts: model,
    });
  return model;
};

const installOne = async (work: CommandWork, name: string, from: string | undefined): Promise<void> => {
  const input = from === undefined ? { name } : { name, from: resolve(from) };
  const started = modelNamed(await work.client.call(addModel, input), name);
  const model = await untilInstalled(work, started);
  work.print.answer(model, [
    `Installed ${name} (${model.licence}) from ${model.source ?? 'a folder'}.`,
    model.for === 'ocr'
      ? 'Scans and pictures that come from now on are read in this language too.'
      : `To ${model.for === 'reranking' ? 'rerank' : 'search'} with it: memoir models use ${name}`,
  ]);
};

export const modelsAddCommand = (models: Command, host: Host): void => {
  const command = models
    .command('add <name>')
    .summary('install a model')
    .description(
      'Downloads a model to this machine, with the packages that run it. An interrupted download goes on where it ended. Searches use the model after "memoir models use".',
    )
    .option('--from <folder>', 'take the files from a folder, for a machine without internet');
  examples(withCommon(command), [
    'memoir models add minilm',
    'memoir models add minilm --from ./minilm',
  ]).action((name: string, options: AddModelOptions) => {
    if (options.from !== undefined && isRemote(options, host))
      throw misused(
        '--from names a folder of this machine, so it does not fit a remote server. Run the command on the machine of the server.',
      );
    return withClient(options, host, (work) => installOne(work, name, options.from), { creates: true });
  });
};
