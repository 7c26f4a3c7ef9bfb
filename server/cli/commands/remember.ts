// memoir remember --again: redraws the memories of stored documents, while searches continue.
import type { Command } from 'commander';
import type { z } from 'zod';
import { redrawMemories } from '../../../tools/memories/redraw.ts';
import { redrawStatus } from '../../../tools/memories/redraw-status.ts';
import { pause } from '../../lib/async/wait.ts';
import { plural } from '../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure, misused } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, tagOption, withCommon } from '../options.ts';

interface RememberOptions extends CommonOptions {
  again?: boolean;
  wait?: boolean;
  tag?: string[];
}

type Redraw = z.output<typeof redrawStatus.output>;

const POLL_MS = 250;

const changesText = ({ added, removed }: Redraw): string =>
  `${plural(added, 'memory', 'memories')} added, ${removed} removed`;

const redrawingText = (now: Redraw): string => {
  const total = now.waiting + now.done + now.failed;
  return `Redrawing memories: ${total - now.waiting} of ${plural(total, 'document')}, ${changesText(now)} …`;
};

const untilRedrawn = async (
  { client, print }: CommandWork,
  started: Redraw,
  tags: object,
): Promise<Redraw> => {
  let now = started;
  while (now.waiting > 0) {
    print.progress(redrawingText(now));
    await pause(POLL_MS);
    now = await client.call(redrawStatus, tags);
  }
  return now;
};

const redrawAll = async (work: CommandWork, { tag, wait }: RememberOptions): Promise<void> => {
  const { client, print } = work;
  const tags = tag === undefined ? {} : { containerTags: [...tag] };
  const asked = await client.call(redrawMemories, tags);
  const { documents } = asked;
  const where = tag === undefined ? '' : ` under ${tag.join(', ')}`;
  if (documents === 0)
    return print.answer(asked, [`Nothing to redraw: no document${where} was read for memories.`]);
  if (!wait)
    return print.answer(asked, [
      `${plural(documents, 'document')} will be read again in the background (--wait waits until it is done).`,
    ]);
  const after = { documents, ...(await untilRedrawn(work, asked, tags)) };
  if (after.failed > 0)
    throw new CommandFailure(
      `${plural(after.failed, 'document')} could not be read again and kept the memories: look at the log of the server.`,
      { facts: after },
    );
  print.answer(after, [`Done: ${plural(after.done, 'document')} read again, ${changesText(after)}.`]);
};

export const rememberCommand = (program: Command, host: Host): void => {
  const command = program
    .command('remember')
    .summary('redraw the memories of stored documents')
    .description(
      'Reads stored documents again for memories, after an upgrade. What a person forgot, edited or added stays. Searches continue, and new documents are read first. With a language model, every document costs tokens again. If this command is stopped, a running server still finishes.',
    )
    .option('--again', 'read documents again that were read before; the command needs it')
    .option('--wait', 'wait until all documents are read, and show the progress')
    .addOption(tagOption('only documents with this container tag'));
  examples(withCommon(command), [
    'memoir remember --again --wait',
    'memoir remember --again --tag user_ada',
  ]).action((options: RememberOptions) => {
    if (options.again !== true)
      throw misused('Say --again: new documents are read for memories by themselves.');
    return withClient(options, host, (work) => redrawAll(work, options));
  });
};
