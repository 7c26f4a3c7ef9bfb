// memoir keys list: all keys with their permissions, never the secrets.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listKeys } from '../../../../tools/keys/list.ts';
import { DAY_MS } from '../../../lib/text/dates/calendar.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { dayOrNever, withoutControls } from '../../output/text.ts';

type Key = z.output<typeof listKeys.output>['keys'][number];

/** Such a key is marked, because not every server sends mail about it. */
const SOON_MS = 7 * DAY_MS;

const keyState = ({ enabled, expiresAt, endedWithMaker, notifiedAt }: Key): string => {
  if (!enabled) return 'disabled';
  if (endedWithMaker === true) return 'ended with its maker';
  if (expiresAt === null) return 'enabled';
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return `expired ${dayOrNever(expiresAt)}`;
  if (left > SOON_MS) return `until ${dayOrNever(expiresAt)}`;
  const told = notifiedAt === null ? 'nobody told' : `told ${dayOrNever(notifiedAt)}`;
  return `ends in ${Math.ceil(left / DAY_MS)} ${left <= DAY_MS ? 'day' : 'days'}, ${told}`;
};

const keyRow = (key: Key): string[] => [
  key.id,
  keyState(key),
  key.permission,
  key.containerTags?.map(withoutControls).join(', ') ?? 'everything',
  dayOrNever(key.lastUsedAt),
  `${key.start}…`,
  key.owner?.email ?? key.owner?.id ?? 'organisation',
  key.madeBy ?? '',
  withoutControls(key.name),
];

const HEAD = ['ID', 'STATE', 'MAY', 'IN', 'LAST USED', 'KEY', 'OF', 'MADE BY', 'NAME'];

const listAllKeys = async ({ client, print }: CommandWork): Promise<void> => {
  const { alignedTable } = await import('../../output/layout.ts');
  const answer = await client.call(listKeys, {});
  print.answer(answer, alignedTable([HEAD, ...answer.keys.map(keyRow)]));
};

export const keysListCommand = (keys: Command, host: Host): void => {
  const command = keys
    .command('list')
    .summary('list the keys')
    .description(
      'Lists all keys with their permissions and the key that made each. The secrets themselves are not stored.',
    );
  examples(withCommon(command), ['memoir keys list', 'memoir keys list --json']).action(
    (options: CommonOptions) => withClient(options, host, listAllKeys),
  );
};
