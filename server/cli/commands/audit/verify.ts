// memoir audit verify: compares the chain of the audit log, and names the first row that does not fit.
import type { Command } from 'commander';
import { verifyAudit } from '../../../../tools/audit/verify.ts';
import { plural } from '../../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';

const verify = async ({ client, print }: CommandWork): Promise<void> => {
  const answer = await client.call(verifyAudit, {});
  const { broken, rows, last } = answer;
  if (broken !== null)
    throw new CommandFailure(
      `${broken.message} The last row that fits is ${last.n}. Compare the rows from there on with a backup, or with the log of the server, which says the end of the chain once a day.`,
      { facts: answer },
    );
  print.answer(answer, [
    rows === 0
      ? 'The audit log is empty.'
      : `The audit log is whole: ${plural(rows, 'row')}, up to row ${last.n} with the hash ${last.hash}.`,
  ]);
};

export const auditVerifyCommand = (audit: Command, host: Host): void => {
  const command = audit
    .command('verify')
    .summary('check that no row was changed')
    .description(
      'Computes the hash of every row of the audit log again. Ends with 1, and names the first row that was changed, left out or put in, if there is one.',
    );
  examples(withCommon(command), ['memoir audit verify', 'memoir audit verify --json']).action(
    (options: CommonOptions) => withClient(options, host, verify),
  );
};
