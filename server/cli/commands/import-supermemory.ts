// memoir import supermemory: copies documents from a service that speaks the published API.
import type { Command } from 'commander';
import { plural } from '../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure, misused } from '../failure.ts';
import type { Host } from '../host.ts';
import { type Compared, type Copied, createDocumentCopy } from '../import/copy.ts';
import { openImportSource } from '../import/source.ts';
import { examples } from '../options.ts';

interface ImportOptions {
  url: string;
  key?: string;
  to?: string;
  apiKey?: string;
  dataDir?: string;
  json?: true;
}

const documentList = (what: string, those: readonly string[]): string[] =>
  those.length === 0
    ? []
    : [`${plural(those.length, 'document')} ${what}:`, ...those.map((one) => `  ${one}`)];

const importReport = (copied: Copied, compared: Compared): string[] => [
  `Found ${plural(copied.found, 'document')}: ${copied.added} added, ${copied.already} already here.`,
  `Compared the contents: ${compared.same} are identical.`,
  ...documentList('had no content to copy', copied.empty),
];

/** The documents that were not copied exactly. */
const importProblems = (copied: Copied, compared: Compared): string[] => [
  ...documentList('could not be added', copied.refused),
  ...documentList('came out different from the source', compared.different),
];

const importAll = async ({ client, print }: CommandWork, from: string, key: string): Promise<void> => {
  const copy = createDocumentCopy(openImportSource(from, key), client);
  const shown = (what: string) => (done: number, total: number) =>
    print.progress(`${what} ${done} of ${plural(Math.max(total, done), 'document')}`);
  const copied = await copy.all(shown('copied'));
  const compared = await copy.compare(shown('compared'));
  const lines = importReport(copied, compared);
  const problems = importProblems(copied, compared);
  if (problems.length > 0) {
    throw new CommandFailure([...lines, ...problems].join('\n'), { facts: { ...copied, ...compared } });
  }
  print.answer({ ...copied, ...compared }, lines);
};

export const importCommand = (program: Command, host: Host): void => {
  const group = program
    .command('import')
    .summary('copy documents from another service')
    .description('Copies documents from another service.')
    .helpOption('-h, --help', 'show this help');
  const command = group
    .command('supermemory')
    .summary('copy documents from a service with the published API')
    .description(
      'Copies every document with its customId, container tags and metadata over the published API. An import that was interrupted continues when it is run again. At the end, the command compares the content of every document by its hash.',
    )
    .option('--url <address>', 'the address of the service', 'https://api.supermemory.ai')
    .option('--key <key>', 'a key for that service (or SUPERMEMORY_API_KEY)')
    .option(
      '--to <address>',
      'the address of a remote Memoir to copy to (or MEMOIR_URL; default: the data folder)',
    )
    .option('--api-key <key>', 'the key of that Memoir (or MEMOIR_API_KEY)')
    .option('--data-dir <folder>', 'the data folder (default: MEMOIR_DATA_DIR, or .memoir)')
    .option('--json', 'print JSON, for programs; failures as {"error": …}')
    .helpOption('-h, --help', 'show this help');
  examples(command, [
    'memoir import supermemory --key sm_…',
    'memoir import supermemory --url http://10.0.0.5:6767 --key sm_… --to https://memory.example.org --api-key sm_…',
  ]).action(async ({ url, key = host.env.SUPERMEMORY_API_KEY, to, ...options }: ImportOptions) => {
    if (!key) throw misused(`${url} needs an API key. Pass it with --key or set SUPERMEMORY_API_KEY.`);
    const target = { ...options, ...(to === undefined ? {} : { url: to }) };
    await withClient(target, host, (work) => importAll(work, url, key), { creates: true });
  });
};
