// memoir audit export: all rows, oldest first, each as a line of JSON.
import type { Command } from 'commander';
import { listAudit } from '../../../../tools/audit/list.ts';
import { plural } from '../../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, wholeNumberOption, withCommon } from '../../options.ts';

interface ExportOptions extends CommonOptions {
  after?: number;
}

const ROWS_AT_ONCE = 100;

const exportRows =
  ({ after: first = 0 }: ExportOptions) =>
  async ({ client, print }: CommandWork): Promise<void> => {
    let after = first;
    let rows = 0;
    for (;;) {
      const { entries } = await client.call(listAudit, { after, limit: ROWS_AT_ONCE });
      for (const entry of entries) process.stdout.write(`${JSON.stringify(entry)}\n`);
      rows += entries.length;
      const last = entries.at(-1);
      if (last === undefined || entries.length < ROWS_AT_ONCE) break;
      after = last.n;
    }
    print.note(`${plural(rows, 'row')} of the audit log.`);
  };

export const auditExportCommand = (audit: Command, host: Host): void => {
  const command = audit
    .command('export')
    .summary('print all rows as lines of JSON')
    .description('Prints the rows of the audit log, oldest first, each as a line of JSON.')
    .option('--after <row>', 'only rows after this one', wholeNumberOption(0, 999_999_999));
  examples(withCommon(command), [
    'memoir audit export > audit.jsonl',
    'memoir audit export --after 1200',
  ]).action((options: ExportOptions) => withClient(options, host, exportRows(options)));
};
