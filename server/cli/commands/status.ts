// memoir status: the health of the server, its counts and its queue.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listDocuments } from '../../../tools/documents/list.ts';
import { listProcessingDocuments } from '../../../tools/documents/processing.ts';
import { listKeys } from '../../../tools/keys/list.ts';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import { plural } from '../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../command.ts';
import type { Client, ServerHealth } from '../connection/client.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';
import { unlessForbidden } from '../unless-forbidden.ts';

const documentCounts = async ({ call }: Client) => {
  const [all, failed, queue] = await Promise.all([
    call(listDocuments, { limit: 1 }),
    call(listDocuments, { limit: 1, status: 'failed' }),
    call(listProcessingDocuments, {}),
  ]);
  return {
    documents: all.pagination.totalItems,
    queued: queue.totalCount,
    failed: failed.pagination.totalItems,
  };
};

const NOT_SHOWN = 'not shown to this key';

type Spaces = z.output<typeof spacesStatus.output> | null;

const spaceText = (spaces: Spaces): string => {
  if (spaces === null) return NOT_SHOWN;
  if (spaces.active === null) return 'none yet';
  const { embedder, model, dimensions } = spaces.active;
  const needed = spaces.reindexNeeded ? '; the settings ask for another embedder: run memoir reindex' : '';
  return `${embedder} ${model}, ${dimensions} dimensions${needed}`;
};

type Usage = z.output<typeof listKeys.output>['usage'] | undefined;

const usageText = (usage: Usage): string =>
  usage === undefined
    ? NOT_SHOWN
    : `${usage.inputTokens.toLocaleString('en')} read, ${usage.outputTokens.toLocaleString('en')} written by language models`;

const partRows = ({ parts }: ServerHealth): string[][] =>
  parts === null
    ? [['parts', NOT_SHOWN]]
    : [
        ['parts', ''],
        ...Object.entries(parts).map(([name, { status, detail }]) => [
          `  ${name}`,
          detail === undefined ? status : `${status}: ${detail}`,
        ]),
      ];

const showStatus = async ({ client, print, host }: CommandWork): Promise<void> => {
  const { alignedTable } = await import('../output/layout.ts');
  const [health, counts, space, keys] = await Promise.all([
    client.health(),
    documentCounts(client),
    unlessForbidden(client.call(spacesStatus, {})),
    unlessForbidden(client.call(listKeys, {})),
  ]);
  const where = client.url ?? 'no server runs; the data folder was opened for this command';
  const queued = `${plural(counts.queued, 'document')} queued or processing, ${counts.failed} failed`;
  print.answer({ url: client.url, health, counts, space, usage: keys?.usage ?? null }, [
    ...alignedTable([
      ['address', where],
      [
        'version',
        health.version === host.version ? health.version : `${health.version} (here ${host.version})`,
      ],
      ['state', health.ready ? 'ready' : 'not ready'],
      ['documents', counts.documents.toLocaleString('en')],
      ['queue', queued],
      ['embeddings', spaceText(space)],
      ['tokens', usageText(keys?.usage)],
      ...partRows(health),
    ]),
  ]);
};

export const statusCommand = (program: Command, host: Host): void => {
  const command = program
    .command('status')
    .summary('show address, health, counts and queue')
    .description('Shows the address of the server, the health of each part, the counts and the queue.');
  examples(withCommon(command), [
    'memoir status',
    'memoir status --url https://memory.example.org --api-key sm_… --json',
  ]).action((options: CommonOptions) => withClient(options, host, showStatus));
};
