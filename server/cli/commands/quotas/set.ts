// memoir quotas set: limits what a key, a member or a container tag may use in a day or a month.
import { type Command, Option } from 'commander';
import { type QuotaName, quotaChanges } from '../../../../tools/quotas/schemas/quotas.ts';
import { setQuotas } from '../../../../tools/quotas/set.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { misused } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, numberOr, wholeNumberOption, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';
import { memberNamed } from '../team/named-member.ts';

const NONE = 'none';

interface SetOptions extends CommonOptions, Partial<Record<QuotaName, number | typeof NONE>> {
  key?: string;
  member?: string;
  tag?: string;
}

const MOST = 1_000_000_000_000;
const NAMES = quotaChanges.keyof().options;

/** `documentsPerDay` → `--documents-per-day` */
const flagOf = (name: QuotaName): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const holderOfQuota = ({ key, member, tag }: SetOptions) => {
  const named = Object.entries({ key, member, tag }).filter(([, id]) => id !== undefined);
  const [first] = named;
  if (first === undefined || named.length > 1)
    throw misused('Name one of --key <id>, --member <member> and --tag <tag>.');
  return { of: first[0] as 'key' | 'member' | 'tag', id: first[1] ?? '' };
};

const changesOfQuotas = (options: SetOptions) => {
  const given = NAMES.filter((name) => options[name] !== undefined);
  if (given.length === 0) throw misused(`Name a quota, as in ${flagOf('documentsPerDay')} 1000.`);
  return Object.fromEntries(given.map((name) => [name, options[name] === NONE ? null : options[name]]));
};

const setQuotasOf =
  (options: SetOptions) =>
  async (work: CommandWork): Promise<void> => {
    const { client, print } = work;
    const { of, id: named } = holderOfQuota(options);
    const id = of === 'member' ? await memberNamed(work, named) : named;
    const answer = await client.call(setQuotas, { of, id, quotas: changesOfQuotas(options) });
    const lines = answer.quotas.map(({ quota, limit }) =>
      withoutControls(`The ${of} ${named} has the quota ${quota}: ${limit.toLocaleString('en')}.`),
    );
    print.answer(answer, lines.length === 0 ? ['No quota is left.'] : lines);
  };

export const quotasSetCommand = (quotas: Command, host: Host): void => {
  const command = quotas
    .command('set')
    .summary('set quotas of a key, a member or a tag')
    .description(
      'Limits what a key, a member or a container tag may use in a day or a month (UTC). "none" removes a limit.',
    )
    .option('--key <id>', 'the id of the key')
    .option('--member <member>', 'the address or the id of the member')
    .option('--tag <tag>', 'the container tag');
  for (const name of NAMES)
    command.addOption(
      new Option(`${flagOf(name)} <number>`, 'the limit, or none').argParser(
        numberOr(NONE, wholeNumberOption(0, MOST)),
      ),
    );
  examples(withCommon(command), [
    'memoir quotas set --tag user_ada --documents-per-day 1000',
    'memoir quotas set --key 1BQ8vWzUqTfGZ4kS9xNc7d --searches-per-month none',
  ]).action((options: SetOptions) => {
    holderOfQuota(options);
    changesOfQuotas(options);
    return withClient(options, host, setQuotasOf(options));
  });
};
