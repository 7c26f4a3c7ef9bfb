// memoir import supermemory: copies documents from a service that speaks the published API.
import type { Command } from 'commander';
import { type Work, withClient } from '../command.ts';
import { CommandFailure, misused } from '../failure.ts';
import type { Host } from '../host.ts';
import { type Compared, type Copied, createCopy } from '../import/copy.ts';
import { openSource } from '../import/source.ts';
import { examples } from '../options.ts';
import { plural } from '../text.ts';

interface ImportOptions {
  url: string;
  key?: string;
  to?: string;
  apiKey?: string;
  dataDir?: string;
  json?: true;
}

const missing = (what: string, those: readonly string[]): string[] =>
  those.length === 0
    ? []
    : [`${plural(those.length, 'document')} ${what}:`, ...those.map((one) => `  ${one}`)];

const told = (copied: Copied, compared: Compared): string[] => [
  `Found ${plural(copied.found, 'document')}: ${copied.added} added, ${copied.already} here already.`,
  `Compared by content: ${compared.same} are the same.`,
  ...missing('had no content to copy', copied.empty),
];

/** Everything that was there and is not here as it was. */
const wrong = (copied: Copied, compared: Compared): string[] => [
  ...missing('could not be added', copied.refused),
  ...missing('differ from what was sent', compared.different),
];

async function importAll({ client, print }: Work, from: string, key: string): Promise<void> {
  const copy = createCopy(openSource(from, key), client);
  const shown = (what: string) => (done: number, total: number) =>
    print.progress(`${what} ${done} of ${plural(Math.max(total, done), 'document')}`);
  const copied = await copy.all(shown('copied'));
  const compared = await copy.compare(shown('compared'));
  const lines = told(copied, compared);
  const problems = wrong(copied, compared);
  if (problems.length > 0) {
    throw new CommandFailure([...lines, ...problems].join('\n'), { facts: { ...copied, ...compared } });
  }
  print.answer({ ...copied, ...compared }, lines);
}

export function importCommand(program: Command, host: Host): void {
  const group = program
    .command('import')
    .summary('copy documents from elsewhere')
    .description('Copies documents from another service.')
    .helpOption('-h, --help', 'show this help');
  const command = group
    .command('supermemory')
    .summary('from a service that speaks the published API')
    .description(
      'Copies every document with its customId, container tags and metadata, by the published API. Broken off, it goes on where it ended when it is run again. At the end the content of each is compared by its hash.',
    )
    .option('--url <address>', 'where they are', 'https://api.supermemory.ai')
    .option('--key <key>', 'a key for it (or SUPERMEMORY_API_KEY)')
    .option('--to <address>', 'a Memoir elsewhere (or MEMOIR_URL); without one, that of the data folder')
    .option('--api-key <key>', 'the key of that Memoir (or MEMOIR_API_KEY)')
    .option('--data-dir <folder>', 'the data folder (default: MEMOIR_DATA_DIR, else .memoir)')
    .option('--json', 'print JSON, for programs; failures as {"error": …}')
    .helpOption('-h, --help', 'show this help');
  examples(command, [
    'memoir import supermemory --key sm_…',
    'memoir import supermemory --url http://10.0.0.5:6767 --key sm_… --to https://memory.example.org --api-key sm_…',
  ]).action(async ({ url, key = host.env.SUPERMEMORY_API_KEY, to, ...options }: ImportOptions) => {
    if (!key) throw misused(`${url} wants a key: give it with --key or in SUPERMEMORY_API_KEY.`);
    const target = { ...options, ...(to === undefined ? {} : { url: to }) };
    await withClient(target, host, (work) => importAll(work, url, key), { creates: true });
  });
}
