// memoir models list: the models for this machine, and the state of each.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listModels } from '../../../../tools/models/list.ts';
import { spacesStatus } from '../../../../tools/spaces/status.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { embedderName } from '../follow-reindex.ts';

type ListedModel = z.output<typeof listModels.output>['models'][number];

const modelStateText = ({ serves, installed, installing, trouble }: ListedModel): string => {
  if (installing !== null) return 'is being installed';
  if (trouble !== null) return `failed: ${trouble}`;
  if (serves) return 'in use';
  return installed ? 'installed' : 'not installed';
};

const purposeText = ({ for: purpose }: ListedModel): string =>
  purpose === 'reranking' || purpose === 'ocr' ? `, for ${purpose === 'ocr' ? 'OCR' : purpose}` : '';

const hashLines = ({ files }: ListedModel): string[] =>
  Object.entries(files ?? {}).map(([file, hash]) => `    ${file}  sha256 ${hash}`);

const modelLines = (model: ListedModel): string[] => [
  `${model.name}  (${model.megabytes} MB, ${model.languages}, ${model.licence}${purposeText(model)}) — ${modelStateText(model)}`,
  `    ${model.use}`,
  ...hashLines(model),
];

type ListedServer = z.output<typeof listModels.output>['servers'][number];

/** "(embedding, 768 dimensions, 274 MB)" */
const factsText = (model: ListedServer['models'][number]): string => {
  const facts = [
    model.for ?? 'embedding or chat: "models use" finds out',
    ...(model.for === 'chat' || model.dimensions === null ? [] : [`${model.dimensions} dimensions`]),
    ...(model.megabytes === null ? [] : [`${model.megabytes} MB`]),
  ];
  return facts.join(', ');
};

const serverLines = ({ title, address, models }: ListedServer): string[] => [
  '',
  `${title} answers at ${address}${models.length === 0 ? ' and has no models' : ''}:`,
  ...models.map((model) => `${model.name}  (${factsText(model)})${model.serves ? ' — in use' : ''}`),
];

const listAllModels = async ({ client, print }: CommandWork): Promise<void> => {
  const [answer, spaces] = await Promise.all([client.call(listModels, {}), client.call(spacesStatus, {})]);
  const inUse = spaces.active === null ? 'words only' : embedderName(spaces.active);
  const reranker = answer.models.find(({ for: purpose, serves }) => purpose === 'reranking' && serves);
  const ordering = reranker === undefined ? '' : `, and ${reranker.name} for reranking`;
  print.answer(answer, [
    ...answer.models.flatMap(modelLines),
    ...answer.servers.flatMap(serverLines),
    '',
    `Searches use ${inUse}${ordering}. "memoir models add <name>" installs a model, "memoir models use <name>" changes to it.`,
  ]);
};

export const modelsListCommand = (models: Command, host: Host): void => {
  const command = models
    .command('list')
    .summary('list the models and their state')
    .description(
      'Lists the models for embedding and reranking that can run inside Memoir, with the state of each, and the models of Ollama, LM Studio, llama.cpp and vLLM where they answer on this machine.',
    );
  examples(withCommon(command), ['memoir models list', 'memoir models list --json']).action(
    (options: CommonOptions) => withClient(options, host, listAllModels, { creates: true }),
  );
};
