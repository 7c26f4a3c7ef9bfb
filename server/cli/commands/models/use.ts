// memoir models use: changes the model of a purpose, and follows the reindex of an embedding model.
import { type Command, Option } from 'commander';
import { useModel } from '../../../../tools/models/use.ts';
import type { ModelPurpose } from '../../../lib/models/model-folder.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { embedderName, switchedLine, untilReindexed } from '../follow-reindex.ts';

const BUILTIN = 'builtin';
const PURPOSES: readonly ModelPurpose[] = ['embedding', 'chat', 'reranking'];

interface UseOptions extends CommonOptions {
  for?: ModelPurpose;
}

const chatLines = (name: string): string[] =>
  name === BUILTIN
    ? ['Done: rules draw the memories of new content, and nothing is sent to a model.']
    : [
        `Done: ${name} reads new content for memories, summarises profiles and rewords queries.`,
        'To read stored content with it: memoir remember --again',
        `To go back: memoir models use ${BUILTIN} --for chat`,
      ];

const rerankerLines = (name: string): string[] =>
  name === BUILTIN
    ? ['Done: no model on this machine reranks.']
    : [
        `Done: ${name} reranks from the next search.`,
        `To go back: memoir models use ${BUILTIN} --for reranking`,
      ];

const useOne = async (work: CommandWork, name: string, options: UseOptions): Promise<void> => {
  const { client, print } = work;
  const started = await client.call(
    useModel,
    options.for === undefined ? { name } : { name, for: options.for },
  );
  const { chosen } = started;
  if (chosen.for === 'chat') return print.answer(started, chatLines(chosen.name));
  if (chosen.for === 'reranking') return print.answer(started, rerankerLines(chosen.name));
  if (!started.reindexNeeded && started.reindexing === null)
    return print.answer(started, [`Nothing to do: searches already use ${embedderName(started.wanted)}.`]);
  const after = await untilReindexed(work, started);
  const back = name === BUILTIN ? [] : [`To go back: memoir models use ${BUILTIN}`];
  print.answer(after, [switchedLine(after), ...back]);
};

export const modelsUseCommand = (models: Command, host: Host): void => {
  const command = models
    .command('use <name>')
    .summary('search, rerank or read with another model')
    .description(
      'Embeds all stored content with an installed model, with an embedding model of a server on this machine, or with the builtin embedder ("builtin"). Searches continue with the former vectors and switch at the end. If this command is stopped, a running server still finishes the change. An installed model for reranking serves from the next search. A chat model of a server on this machine reads new content for memories, summarises profiles and rewords queries.',
    )
    .addOption(
      new Option(
        '--for <purpose>',
        'the purpose of the model, where its server does not say it; "builtin --for chat" goes back to reading by rules, "builtin --for reranking" to no reranker',
      ).choices(PURPOSES),
    );
  examples(withCommon(command), [
    'memoir models use minilm',
    'memoir models use msmarco-minilm',
    'memoir models use ollama:nomic-embed-text',
    'memoir models use builtin',
  ]).action((name: string, options: UseOptions) =>
    withClient(options, host, (work) => useOne(work, name, options), { creates: true }),
  );
};
