// memoir add: stores a text, a file, standard input or a URL.
import type { Command } from 'commander';
import { addDocument } from '../../../tools/documents/add.ts';
import { type Work, withClient } from '../command.ts';
import { type Given, readGiven } from '../content.ts';
import { CommandFailure } from '../failure.ts';
import { untilFinished } from '../follow.ts';
import type { Host } from '../host.ts';
import {
  type CommonOptions,
  examples,
  type Pairs,
  pairOption,
  tagOption,
  typed,
  wholeNumber,
  withCommon,
} from '../options.ts';

interface AddOptions extends CommonOptions {
  tag?: string[];
  customId?: string;
  title?: string;
  metadata?: Pairs;
  wait?: true;
  timeout: number;
}

const TIMEOUT_S = 600;

function inputOf({ content, title: fileName }: Given, options: AddOptions) {
  const title = options.title ?? fileName;
  const metadata = Object.entries(options.metadata ?? {}).map(([key, text]) => [key, typed(text)] as const);
  return {
    content,
    ...(options.tag === undefined ? {} : { containerTags: options.tag }),
    ...(options.customId === undefined ? {} : { customId: options.customId }),
    ...(title === undefined ? {} : { title }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  };
}

async function finish({ client, print }: Work, id: string, what: string, limitMs: number): Promise<void> {
  const { status, step, failure } = await untilFinished(client, id, print, limitMs);
  if (status === 'failed') {
    throw new CommandFailure(failure?.message ?? 'Processing failed, and the server does not say why.', {
      facts: { id, status, failure },
    });
  }
  print.answer({ id, status, step }, [`Added ${what} as ${id}; it can be searched now.`]);
}

async function add(work: Work, given: Given, options: AddOptions): Promise<void> {
  const { client, print } = work;
  const { id, status } = await client.call(addDocument, inputOf(given, options));
  // Without a server nobody else would process it.
  if (options.wait || client.url === null) return finish(work, id, given.what, options.timeout * 1000);
  const lines =
    status === 'done'
      ? [`Nothing to do: ${given.what} is already there as ${id}.`]
      : [`Added ${given.what} as ${id}; it is processed in the background (--wait waits for it).`];
  print.answer({ id, status }, lines);
}

export function addCommand(program: Command, host: Host): void {
  const command = program
    .command('add <content>')
    .summary('add a text, a text file, standard input (-) or a URL')
    .description(
      'Adds a text, a text file, standard input (-) or a URL. With --custom-id, adding again updates the same document.',
    )
    .addOption(tagOption('the container tag'))
    .option('--custom-id <id>', 'your own id: the same id is the same document')
    .option('--title <title>', 'a title (default: the name of the file, or taken from the content)')
    .addOption(
      pairOption('-m, --metadata', 'metadata to filter by; numbers, true and false are read as such'),
    )
    .option('-w, --wait', 'wait until it can be searched; always so when no server runs')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber(1, 86_400), TIMEOUT_S);
  examples(withCommon(command), [
    'memoir add "Ada prefers tea, and meetings before noon." --tag user_ada',
    'memoir add notes.md --custom-id notes --metadata kind=notes --wait',
    'git log -20 | memoir add - --tag project --title "Latest changes"',
  ]).action(async (argument: string, options: AddOptions) => {
    const given = await readGiven(argument);
    await withClient(options, host, (work) => add(work, given, options), { creates: true });
  });
}
