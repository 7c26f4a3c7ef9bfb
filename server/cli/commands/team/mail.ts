// memoir mail test: sends a mail, and prints what the mail server said.
import type { Command } from 'commander';
import { testMail } from '../../../../tools/settings/test-mail.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';

const sendTest = async ({ client, print }: CommandWork, to: string | undefined): Promise<void> => {
  const tested = await client.call(testMail, to === undefined ? {} : { to });
  const said = withoutControls(tested.said);
  if (!tested.success) throw new CommandFailure(said, { facts: tested });
  print.answer(tested, [`The mail server took a mail to ${tested.to}: ${said}`]);
};

export const mailCommand = (program: Command, host: Host): void => {
  const mail = program
    .command('mail')
    .summary('send a test mail')
    .description('Checks whether this Memoir can send mail.')
    .helpOption('-h, --help', 'show this help');
  withCommon(
    mail
      .command('test')
      .summary('send a test mail')
      .description(
        'Sends a mail at once and prints what the mail server said. Exits with 1 if it was not taken.',
      )
      .option('--to <address>', 'the address; default: MEMOIR_MAIL_TO'),
  ).action((options: CommonOptions & { to?: string }) =>
    withClient(options, host, (work) => sendTest(work, options.to)),
  );
  examples(mail, ['memoir mail test --to you@example.org']);
};
