// memoir add: adds a text, a file, a folder of files, standard input or a URL.
import type { Command } from 'commander';
import { addDocument } from '../../../tools/documents/add.ts';
import { plural } from '../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure, misused } from '../failure.ts';
import type { Host } from '../host.ts';
import {
  type CommonOptions,
  examples,
  factOption,
  type Pairs,
  pairOption,
  tagOption,
  typedValue,
  wholeNumberOption,
  withCommon,
} from '../options.ts';
import { type AddInput, readAddArgument } from '../upload/content.ts';
import {
  type FolderFields,
  type FolderOutcome,
  type Uploaded,
  uploadFolder,
  uploadOne,
} from '../upload/upload.ts';
import { untilFinished } from '../upload/wait-until-processed.ts';

interface AddOptions extends CommonOptions {
  tag?: string[];
  customId?: string;
  title?: string;
  metadata?: Pairs;
  fact?: string[];
  wait?: true;
  timeout: number;
}

const DEFAULT_TIMEOUT_S = 600;

const optionFields = (options: AddOptions) => {
  const metadata = Object.entries(options.metadata ?? {}).map(
    ([key, text]) => [key, typedValue(text)] as const,
  );
  return {
    ...(options.tag === undefined ? {} : { containerTags: options.tag }),
    ...(options.customId === undefined ? {} : { customId: options.customId }),
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    ...(options.fact === undefined ? {} : { facts: options.fact.map((content) => ({ content })) }),
  };
};

/** Without a server, this process must finish the ingestion before it ends. */
const waitsForResult = ({ client }: CommandWork, { wait }: AddOptions): boolean =>
  wait === true || client.url === null;

/** The memories that a fact seems to change stay valid unless the sender corrects them. */
const similarLines = ({ similar = [] }: Uploaded): string[] =>
  similar.length === 0
    ? []
    : [
        'A fact may change what is known. These memories stay as they are:',
        ...similar.map(({ id, memory }) => `  ${id}  ${memory}`),
      ];

const similarField = ({ similar }: Uploaded) => (similar === undefined ? {} : { similar });

const reportFinished = async (
  { client, print }: CommandWork,
  uploaded: Uploaded,
  what: string,
  limitMs: number,
): Promise<void> => {
  const { id } = uploaded;
  const { status, step, failure, note } = await untilFinished(client, id, print, limitMs);
  if (status === 'failed') {
    throw new CommandFailure(
      failure?.message ?? 'Processing failed, and the server gives no reason. Look at its log.',
      {
        facts: { id, status, failure },
      },
    );
  }
  const lines = [`Added ${what} as ${id}; it can be searched now.`, ...(note === null ? [] : [note])];
  print.answer({ id, status, step, ...(note === null ? {} : { note }), ...similarField(uploaded) }, [
    ...lines,
    ...similarLines(uploaded),
  ]);
};

const sendContent = (
  work: CommandWork,
  input: Exclude<AddInput, { kind: 'folder' }>,
  options: AddOptions,
): Promise<Uploaded> =>
  input.kind === 'file'
    ? uploadOne(work, optionFields(options), input.file)
    : work.client.call(addDocument, { content: input.content, ...optionFields(options) });

const addContent = async (
  work: CommandWork,
  input: Exclude<AddInput, { kind: 'folder' }>,
  options: AddOptions,
): Promise<void> => {
  const uploaded = await sendContent(work, input, options);
  const { id, status } = uploaded;
  if (waitsForResult(work, options))
    return reportFinished(work, uploaded, input.what, options.timeout * 1000);
  const lines =
    status === 'done'
      ? [`Nothing to do: ${input.what} is stored already as ${id}.`]
      : [
          `Added ${input.what} as ${id}; the server processes it in the background (--wait waits until it is done).`,
        ];
  work.print.answer({ id, status, ...similarField(uploaded) }, [...lines, ...similarLines(uploaded)]);
};

/** The customId of each document of a folder is the given one followed by its path. */
const folderFields = (options: AddOptions): FolderFields => {
  const forOne = options.title !== undefined ? '--title' : options.fact !== undefined ? '--fact' : null;
  if (forOne !== null)
    throw misused(`${forOne} is for one document, and a folder has several. Leave it out.`);
  const { customId, ...fields } = optionFields(options);
  return {
    of: (filepath) => ({
      ...fields,
      filepath,
      ...(customId === undefined ? {} : { customId: customId + filepath }),
    }),
  };
};

/** Waits for each document of a folder, within one time limit for all. */
const finalOutcomes = async (
  { client, print }: CommandWork,
  outcomes: FolderOutcome[],
  limitMs: number,
): Promise<FolderOutcome[]> => {
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
};

const addFolder = async (
  work: CommandWork,
  input: Extract<AddInput, { kind: 'folder' }>,
  options: AddOptions,
): Promise<void> => {
  const sent = await uploadFolder(work, input.files, folderFields(options));
  const awaited = waitsForResult(work, options);
  const documents = awaited ? await finalOutcomes(work, sent, options.timeout * 1000) : sent;
  const failed = documents.flatMap((one) => ('error' in one ? [`${one.filepath}: ${one.error}`] : []));
  if (failed.length > 0) {
    const sentence = `${failed.length} of ${plural(documents.length, 'file')} could not be added:`;
    throw new CommandFailure([sentence, ...failed].join('\n'), { facts: { documents } });
  }
  const state = awaited ? 'they can be searched now' : 'the server processes them in the background';
  work.print.answer({ documents }, [`Added ${plural(documents.length, 'file')} of ${input.what}; ${state}.`]);
};

export const addCommand = (program: Command, host: Host): void => {
  const command = program
    .command('add <content>')
    .summary('add a text, a file, a folder, standard input (-) or a URL')
    .description(
      'Adds a text, a file, a folder of files, standard input (-) or a URL. With --custom-id, adding again updates the same document.',
    )
    .addOption(tagOption('the container tag'))
    .option(
      '--custom-id <id>',
      'your own id, to update the document later; for a folder, the prefix of the ids',
    )
    .option('--title <title>', 'the title (default: taken from the content or the file name)')
    .addOption(pairOption('-m, --metadata', 'metadata for filters; numbers, true and false keep their type'))
    .addOption(factOption)
    .option('-w, --wait', 'wait until the content can be searched (always, when no server runs)')
    .option(
      '--timeout <seconds>',
      'the longest time to wait',
      wholeNumberOption(1, 86_400),
      DEFAULT_TIMEOUT_S,
    );
  examples(withCommon(command), [
    'memoir add "Ada prefers tea, and meetings before noon." --tag user_ada',
    'memoir add report.pdf --custom-id report --metadata kind=report --wait',
    'memoir add ./handbook --tag project --custom-id handbook',
    'memoir add call.txt --tag user_ada --fact "Ada moves to Rome in May 2026" --fact "Ada is allergic to nuts"',
    'memoir add https://example.org/article --tag reading',
    'git log -20 | memoir add - --tag project --title "Latest changes"',
  ]).action(async (argument: string, options: AddOptions) => {
    const input = await readAddArgument(argument);
    const add = (work: CommandWork) =>
      input.kind === 'folder' ? addFolder(work, input, options) : addContent(work, input, options);
    await withClient(options, host, add, { creates: true });
  });
};
