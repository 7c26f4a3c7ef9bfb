// memoir audit list: who changed what, newest first.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listAudit } from '../../../../tools/audit/list.ts';
import { AUDIT_ACTIONS } from '../../../core/audit.ts';
import { plural } from '../../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { misused } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, wholeNumberOption, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';

type Entry = z.output<typeof listAudit.output>['entries'][number];

interface ListOptions extends CommonOptions {
  action?: string;
  actor?: string;
  target?: string;
  from?: string;
  to?: string;
  limit?: number;
  page?: number;
}

const toldDetail = (value: Entry['details'][string]): string =>
  Array.isArray(value) ? value.join(', ') : String(value);

const entryRow = ({ n, at, actor, way, action, target, details }: Entry): string[] => [
  String(n),
  at.slice(0, 19).replace('T', ' '),
  action,
  target === null ? '' : withoutControls(`${target.kind} ${target.id}`),
  withoutControls(`${actor.kind} ${actor.name}`),
  way,
  withoutControls(
    Object.entries(details)
      .map(([name, value]) => `${name}: ${toldDetail(value)}`)
      .join('; '),
  ),
];

const GROUPS: readonly string[] = [...new Set(AUDIT_ACTIONS.map((action) => action.replace(/\..*/, '')))];

const checkAction = ({ action }: ListOptions): void => {
  if (
    action === undefined ||
    GROUPS.includes(action) ||
    (AUDIT_ACTIONS as readonly string[]).includes(action)
  )
    return;
  const [group = ''] = action.split('.');
  const known = AUDIT_ACTIONS.filter((each) => each.startsWith(`${group}.`));
  throw misused(
    `There is no action "${action}". There are: ${(known.length === 0 ? GROUPS : known).join(', ')}.`,
  );
};

const HEAD = ['ROW', 'AT (UTC)', 'ACTION', 'ON', 'BY', 'WAY', 'DETAILS'];

const printEntries =
  ({ json: _json, url: _url, apiKey: _key, dataDir: _dir, ...query }: ListOptions) =>
  async ({ client, print }: CommandWork): Promise<void> => {
    const { alignedTable } = await import('../../output/layout.ts');
    const answer = await client.call(listAudit, query);
    const { entries, pagination } = answer;
    const lines = entries.length === 0 ? ['No row fits.'] : alignedTable([HEAD, ...entries.map(entryRow)]);
    print.answer(answer, lines);
    if (pagination.totalPages > pagination.currentPage)
      print.note(
        `${plural(pagination.totalItems, 'row')} in all; --page ${pagination.currentPage + 1} shows more.`,
      );
  };

export const auditListCommand = (audit: Command, host: Host): void => {
  const command = audit
    .command('list')
    .summary('list who changed what')
    .description('Lists the rows of the audit log, newest first.')
    .option('--action <action>', 'only this action, as in key.create, or this group of actions, as in key')
    .option('--actor <id>', 'only changes by this key, member or program')
    .option('--target <id>', 'only changes of the key, tag, document or connection with this id')
    .option('--from <time>', 'only changes from this moment on')
    .option('--to <time>', 'only changes before this moment')
    .option('--limit <number>', 'rows per page (default: 20)', wholeNumberOption(1, 100))
    .option('--page <number>', 'the page (default: 1)', wholeNumberOption(1, 1_000_000));
  examples(withCommon(command), [
    'memoir audit list',
    'memoir audit list --action key --from 2026-03-01',
  ]).action((options: ListOptions) => {
    checkAction(options);
    return withClient(options, host, printEntries(options));
  });
};
