// memoir add: stores a text, a file, a folder of files, standard input or a URL.
import type { Command } from 'commander';
import { addDocument } from '../../../tools/documents/add.ts';
import { type Work, withClient } from '../command.ts';
import { type Given, readGiven } from '../content.ts';
import { CommandFailure, misused } from '../failure.ts';
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
import { plural } from '../text.ts';
import { type FolderFields, type FolderOutcome, type Uploaded, uploadFolder, uploadOne } from '../upload.ts';

interface AddOptions extends CommonOptions {
  tag?: string[];
  customId?: string;
  title?: string;
  metadata?: Pairs;
  wait?: true;
  timeout: number;
}

const TIMEOUT_S = 600;

const fieldsOf = (options: AddOptions) => {
  const metadata = Object.entries(options.metadata ?? {}).map(([key, text]) => [key, typed(text)] as const);
  return {
    ...(options.tag === undefined ? {} : { containerTags: options.tag }),
    ...(options.customId === undefined ? {} : { customId: options.customId }),
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  };
};

/** Without a server nobody else would process it. */
const isAwaited = ({ client }: Work, { wait }: AddOptions): boolean => wait === true || client.url === null;

async function finish({ client, print }: Work, id: string, what: string, limitMs: number): Promise<void> {
  const { status, step, failure, note } = await untilFinished(client, id, print, limitMs);
  if (status === 'failed') {
    throw new CommandFailure(failure?.message ?? 'Processing failed, and the server does not say why.', {
      facts: { id, status, failure },
    });
  }
  const lines = [`Added ${what} as ${id}; it can be searched now.`];
  print.answer(
    { id, status, step, ...(note === null ? {} : { note }) },
    note === null ? lines : [...lines, note],
  );
}

const send = (
  work: Work,
  given: Exclude<Given, { kind: 'folder' }>,
  options: AddOptions,
): Promise<Uploaded> =>
  given.kind === 'file'
    ? uploadOne(work, fieldsOf(options), given.file)
    : work.client.call(addDocument, { content: given.content, ...fieldsOf(options) });

async function addOne(
  work: Work,
  given: Exclude<Given, { kind: 'folder' }>,
  options: AddOptions,
): Promise<void> {
  const { id, status } = await send(work, given, options);
  if (isAwaited(work, options)) return finish(work, id, given.what, options.timeout * 1000);
  const lines =
    status === 'done'
      ? [`Nothing to do: ${given.what} is already there as ${id}.`]
      : [`Added ${given.what} as ${id}; it is processed in the background (--wait waits for it).`];
  work.print.answer({ id, status }, lines);
}

/** Each document of a folder has an id of its own behind the one that is given. */
function folderFields(options: AddOptions): FolderFields {
  if (options.title !== undefined) throw misused('--title names one document, and a folder becomes many.');
  const { customId, ...fields } = fieldsOf(options);
  return {
    of: (filepath) => ({
      ...fields,
      filepath,
      ...(customId === undefined ? {} : { customId: customId + filepath }),
    }),
  };
}

/** What became of each in the end; those that still wait when the time is over stay as they are. */
async function settled(
  { client, print }: Work,
  outcomes: FolderOutcome[],
  limitMs: number,
): Promise<FolderOutcome[]> {
  const end = performance.now() + limitMs;
  const result: FolderOutcome[] = [];
  for (const outcome of outcomes) {
    if ('error' in outcome) result.push(outcome);
    else {
      const { filepath, id } = outcome;
      const { status, failure } = await untilFinished(
        client,
        id,
        print,
        Math.max(0, end - performance.now()),
      );
      const error = failure?.message ?? 'Processing failed.';
      result.push(status === 'failed' ? { filepath, error } : { filepath, id, status });
    }
  }
  return result;
}

async function addFolder(
  work: Work,
  given: Extract<Given, { kind: 'folder' }>,
  options: AddOptions,
): Promise<void> {
  const sent = await uploadFolder(work, given.files, folderFields(options));
  const awaited = isAwaited(work, options);
  const documents = awaited ? await settled(work, sent, options.timeout * 1000) : sent;
  const failed = documents.flatMap((one) => ('error' in one ? [`${one.filepath}: ${one.error}`] : []));
  if (failed.length > 0) {
    const sentence = `${failed.length} of ${plural(documents.length, 'file')} could not be added:`;
    throw new CommandFailure([sentence, ...failed].join('\n'), { facts: { documents } });
  }
  const state = awaited ? 'they can be searched now' : 'they are processed in the background';
  work.print.answer({ documents }, [`Added ${plural(documents.length, 'file')} of ${given.what}; ${state}.`]);
}

export function addCommand(program: Command, host: Host): void {
  const command = program
    .command('add <content>')
    .summary('add a text, a file, a folder, standard input (-) or a URL')
    .description(
      'Adds a text, a file of any kind, a folder of files, standard input (-) or a URL. With --custom-id, adding again updates the same document.',
    )
    .addOption(tagOption('the container tag'))
    .option(
      '--custom-id <id>',
      'your own id: the same id is the same document; of a folder, what the ids begin with',
    )
    .option('--title <title>', 'a title (default: taken from the content, or the name of the file)')
    .addOption(
      pairOption('-m, --metadata', 'metadata to filter by; numbers, true and false are read as such'),
    )
    .option('-w, --wait', 'wait until it can be searched; always so when no server runs')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber(1, 86_400), TIMEOUT_S);
  examples(withCommon(command), [
    'memoir add "Ada prefers tea, and meetings before noon." --tag user_ada',
    'memoir add report.pdf --custom-id report --metadata kind=report --wait',
    'memoir add ./handbook --tag project --custom-id handbook',
    'memoir add https://example.org/article --tag reading',
    'git log -20 | memoir add - --tag project --title "Latest changes"',
  ]).action(async (argument: string, options: AddOptions) => {
    const given = await readGiven(argument);
    const add = (work: Work) =>
      given.kind === 'folder' ? addFolder(work, given, options) : addOne(work, given, options);
    await withClient(options, host, add, { creates: true });
  });
}
