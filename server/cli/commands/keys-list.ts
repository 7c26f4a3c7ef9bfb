// memoir keys list: every key and what it may do, never the key itself.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listKeys } from '../../../tools/keys/list.ts';
import { type Work, withClient } from '../command.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';
import { table, tame } from '../text.ts';

type Key = z.output<typeof listKeys.output>['keys'][number];

const day = (time: string | null): string => time?.slice(0, 10) ?? 'never';

function stateOf({ enabled, expiresAt }: Key): string {
  if (!enabled) return 'disabled';
  if (expiresAt === null) return 'enabled';
  return Date.parse(expiresAt) <= Date.now() ? `expired ${day(expiresAt)}` : `until ${day(expiresAt)}`;
}

const row = (key: Key): string[] => [
  key.id,
  stateOf(key),
  key.permission,
  key.containerTags?.map(tame).join(', ') ?? 'everything',
  day(key.lastUsedAt),
  `${key.start}…`,
  tame(key.name),
];

const HEAD = ['ID', 'STATE', 'MAY', 'IN', 'LAST USED', 'KEY', 'NAME'];

async function list({ client, print }: Work): Promise<void> {
  const answer = await client.call(listKeys, {});
  print.answer(answer, table([HEAD, ...answer.keys.map(row)]));
}

export function keysListCommand(keys: Command, host: Host): void {
  const command = keys
    .command('list')
    .summary('list the keys')
    .description('Lists every key with what it may do; the keys themselves are stored nowhere.');
  examples(withCommon(command), ['memoir keys list', 'memoir keys list --json']).action(
    (options: CommonOptions) => withClient(options, host, list),
  );
}
