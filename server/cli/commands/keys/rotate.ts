// memoir keys rotate: a new key in the place of a former one, which stays valid for a while.
import type { Command } from 'commander';
import { rotateKey } from '../../../../tools/keys/rotate.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, wholeNumberOption, withCommon } from '../../options.ts';

interface RotateOptions extends CommonOptions {
  overlapHours?: number;
}

const rotateKeyOf = async (
  { client, print }: CommandWork,
  id: string,
  { overlapHours }: RotateOptions,
): Promise<void> => {
  const rotated = await client.call(rotateKey, {
    id,
    ...(overlapHours === undefined ? {} : { overlapHours }),
  });
  print.answer(rotated, [
    rotated.key,
    `The key ${rotated.id} takes the place of ${rotated.replaces}. It is shown only now, so save it.`,
    `The former key ends at ${rotated.formerEndsAt}.`,
    ...(rotated.note === undefined ? [] : [rotated.note]),
  ]);
};

export const keysRotateCommand = (keys: Command, host: Host): void => {
  const command = keys
    .command('rotate <id>')
    .summary('replace the secret of a key')
    .description(
      'Makes a new key with the name, rights, end and rate of the former one, and shows it once. The former key stays valid for the overlap. The keys that it made and the grants that it gave belong to the new key.',
    )
    .option(
      '--overlap-hours <hours>',
      'the hours for which the former key stays valid, 0 ends it at once (default: 24)',
      wholeNumberOption(0, 720),
    );
  examples(withCommon(command), [
    'memoir keys rotate 1BQ8vWzUqTfGZ4kS9xNc7d',
    'memoir keys rotate 1BQ8vWzUqTfGZ4kS9xNc7d --overlap-hours 0',
  ]).action((id: string, options: RotateOptions) =>
    withClient(options, host, (work) => rotateKeyOf(work, id, options)),
  );
};
